import { expect, test } from "vitest";
import { findMissing, readText, testTextsIn } from "./project-files.ts";

const security = await readText("SECURITY.md");
const threats = await readText("docs/threats.md");

test("every test that a promise or a defence names is there", async () => {
  const named = [security, threats].flatMap((text) =>
    [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!),
  );
  expect(named.length).toBeGreaterThan(80);
  expect(await findMissing(named)).toEqual([]);
});

test("every file or folder that a promise or a defence names holds tests, and every table is whole", async () => {
  const named = [security, threats].flatMap((text) =>
    [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!),
  );
  const odd = [];
  for (const path of new Set(named)) {
    const isFile = /\.(?:test|limits)\.ts$/.test(path);
    const texts = isFile ? [await readText(path)] : await testTextsIn(path);
    if (!texts.some((text) => /\btest\w*(?:\.\w+|\()/.test(text))) odd.push(path);
  }
  expect(odd).toEqual([]);
  // A row after a blank line is no row of a table.
  for (const text of [security, threats])
    for (const block of text.split(/\n\n+/).filter((each) => each.startsWith("|"))) {
      const [head = "", rule = "", ...rows] = block.trim().split("\n");
      const columns = (row: string) => row.split(/(?<!\\)\|/).length;
      expect(rule).toMatch(/^\|(?:---\|)+$/);
      expect(rows.filter((row) => columns(row) !== columns(head))).toEqual([]);
    }
});

test("every mode and profile has promises, and each row names tests by their titles", async () => {
  const rows = security.split("\n").filter((line) => /^\| (?:`[\w-]+`|all|none) \|/.test(line));
  expect(rows.map((row) => row.split("|")[1]!.trim())).toEqual([
    ...["`readonly`", "`ask`", "`edit`", "`auto`", "all"],
    ...["`read-only`", "`workspace-write`", "`network`", "none"],
  ]);
  for (const row of rows) {
    const held = [...row.matchAll(/`(test\/[^`]+)` "([^"]+)"/g)];
    expect(held, row).not.toEqual([]);
    for (const [, path, title] of held)
      expect((await readText(path!)).includes(`"${title}"`), `${path} "${title}"`).toBe(true);
  }
});

test("every enforced point says which tests hold it, and every threat which test shows the defence", () => {
  const [, enforced = ""] = security.split("## What is enforced today");
  const [list = ""] = enforced.split("\n## ");
  const points = list.split(/\n- (?=\*\*)/).slice(1);
  expect(points.length).toBeGreaterThan(15);
  expect(points.filter((point) => !point.includes("eld by"))).toEqual([]);
  const rows = threats.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attacker"));
  expect(rows.filter((row) => !row.split("|").at(-2)!.includes("`test/"))).toEqual([]);
});
