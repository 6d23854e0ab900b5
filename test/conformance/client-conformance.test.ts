import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { casesOf } from "../support/fuzz.ts";
import { runSuite } from "./run-suite.ts";

const words = casesOf({ sample: ["--sample"], full: [] });
const folder = new URL("./client/", import.meta.url);

test("the official suite for clients fails in no scenario but the listed ones", {
  timeout: 600_000,
}, async () => {
  const printed = await runSuite("conformance-client.mjs", { timeoutMs: 590_000, words });
  for (const revision of ["2026-07-28", "2025-11-25"]) expect(printed).toContain(`Protocol ${revision}`);
  const outcomes = printed.match(/Baseline check passed|^Protocol \S+, \S+: passed$/gm);
  expect(outcomes).toHaveLength(words.includes("--sample") ? 4 : 2);
});

test("every listed scenario has its reason told", async () => {
  const page = await readFile(new URL("../../docs/mcp-client-conformance.md", import.meta.url), "utf8");
  const lists = (await readdir(folder)).filter((name) => name.endsWith(".yml"));
  expect(lists).toHaveLength(2);
  for (const list of lists) {
    const entries = [...(await readFile(new URL(list, folder), "utf8")).matchAll(/^ {2}- (\S+)$/gm)];
    expect(entries.length).toBeGreaterThan(0);
    for (const [, scenario] of entries) expect(page, list).toContain(`\`${scenario}\``);
  }
});
