import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = new URL("./client/", import.meta.url);
const script = fileURLToPath(new URL("../../scripts/conformance-client.mjs", import.meta.url));

test("the official suite finds nothing wrong with the client but what is listed", {
  timeout: 600_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    timeout: 590_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const revision of ["2026-07-28", "2025-11-25"]) expect(stdout).toContain(`Protocol ${revision}`);
  expect(stdout.match(/Baseline check passed/g)).toHaveLength(2);
});

test("whatever is listed has its reason told", async () => {
  const page = await readFile(new URL("../../docs/mcp-client-conformance.md", import.meta.url), "utf8");
  const lists = (await readdir(folder)).filter((name) => name.endsWith(".yml"));
  expect(lists).toHaveLength(2);
  for (const list of lists) {
    const entries = [...(await readFile(new URL(list, folder), "utf8")).matchAll(/^ {2}- (\S+)$/gm)];
    expect(entries.length).toBeGreaterThan(0);
    for (const [, scenario] of entries) expect(page, list).toContain(`\`${scenario}\``);
  }
});
