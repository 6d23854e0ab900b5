import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = new URL("./", import.meta.url);
const script = fileURLToPath(new URL("../../scripts/conformance.mjs", folder));

test("the official suite finds nothing but what is listed as not applicable", {
  timeout: 300_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 290_000 });
  for (const revision of ["2026-07-28", "2025-11-25"]) expect(stdout).toContain(`Protocol ${revision}`);
  expect(stdout.match(/Baseline check passed/g)).toHaveLength(2);
});

test("whatever is listed as not applicable has its reason told", async () => {
  const page = await readFile(new URL("../../docs/mcp-conformance.md", folder), "utf8");
  const lists = (await readdir(folder)).filter((name) => name.endsWith(".yml"));
  expect(lists).toHaveLength(2);
  for (const list of lists) {
    const entries = [
      ...(await readFile(new URL(list, folder), "utf8")).matchAll(/^ {2}- ([^\s:]+)(:\S+)?$/gm),
    ];
    expect(entries.length).toBeGreaterThan(0);
    for (const [, scenario, check = ""] of entries) {
      const isTold = page.includes(`\`${scenario}\``) || page.includes(`\`${scenario}${check}\``);
      expect(isTold, `${list}: ${scenario}${check}`).toBe(true);
    }
  }
});
