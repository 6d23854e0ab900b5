import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { runSuite } from "./run-suite.ts";

const folder = new URL("./", import.meta.url);

test("the official suite for servers fails in no scenario but those listed as not applicable", {
  timeout: 300_000,
}, async () => {
  const printed = await runSuite("conformance.mjs", { timeoutMs: 290_000 });
  for (const revision of ["2026-07-28", "2025-11-25"]) expect(printed).toContain(`Protocol ${revision}`);
  expect(printed.match(/Baseline check passed/g)).toHaveLength(2);
});

test("every scenario that is listed as not applicable has its reason told", async () => {
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
