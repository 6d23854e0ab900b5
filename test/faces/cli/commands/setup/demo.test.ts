import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rowsOfPicture } from "../../../../../scripts/demo/demo-picture.ts";
import { columns, comparable, recordDemo } from "../../../../../scripts/demo/record-demo.ts";
import { terminalRows, textOf } from "../../../../../scripts/demo/terminal-rows.ts";
import { projectFolder } from "../../../../architecture/project-files.ts";
import { needs } from "../../../../support/needs.ts";
import { createCli } from "../../run-cli.ts";

const leftovers = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith("toolwright-demo-")).sort();

test("demo shows a denial, a failing and a passing test, an undo and a checked record, and leaves nothing behind", async () => {
  const before = await leftovers();
  const cli = await createCli();
  const { exitCode, stderr, stdout } = await cli(["demo"]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "That is all: the first price is counted now.\n",
  });
  for (const shown of [
    "file_read was denied: rule Read(.env) denies it",
    "Exit code 1.",
    "+  for (let index = 0;",
    "the test passes",
    "Undid call_",
    "7 receipts, every one as it was written",
  ])
    expect(stderr).toContain(shown);
  expect(await leftovers()).toEqual(before);
});

const testRecorded = await needs("terminal", "bubblewrap");

testRecorded("docs/demo.svg shows what a person at a terminal sees", async () => {
  const [prompt, ...shown] = rowsOfPicture(await readFile(join(projectFolder, "docs/demo.svg"), "utf8"));
  const recorded = terminalRows(await recordDemo(), columns).map(textOf);
  expect(prompt).toBe("$ toolwright demo");
  // Make it again with `npm run --silent build && node scripts/picture.ts`.
  expect(words(recorded)).toEqual(words(shown));
});

/** Where lines break depends on how long the name of whoever answers is. */
function words(rows: readonly string[]): string[] {
  return rows.map(comparable).join(" ").trim().split(/\s+/);
}
