import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectFolder } from "../../architecture/project-files.ts";
import { judgeLine, openWorld } from "./judge-line.ts";

interface Row {
  readonly id: string;
  readonly command: string;
  readonly auto_allow_ok: boolean;
  readonly tags: readonly string[];
}

const text = await readFile(join(projectFolder, "test/fixtures/shell-commands.jsonl"), "utf8");
const rows = text
  .trim()
  .split("\n")
  .map((line): Row => JSON.parse(line));
const dangerous = rows.filter((row) => !row.auto_allow_ok);
const harmless = rows.filter((row) => row.auto_allow_ok);
const isHard = ({ tags }: Row) => tags.includes("hard") || tags.includes("stretch");

async function allowedAmong(some: readonly Row[]): Promise<readonly Row[]> {
  const world = await openWorld();
  const judged = await Promise.all(
    some.map(async (row) => ({ row, ...(await judgeLine(row.command, world)) })),
  );
  return judged.filter(({ isAllowed }) => isAllowed).map(({ row }) => row);
}

test("no command that may do harm is let through", async () => {
  expect((await allowedAmong(dangerous)).map(({ id, command }) => `${id}: ${command}`)).toEqual([]);
});

test("no command that may do harm is let through in other words", async () => {
  const disguises: ((command: string) => string)[] = [
    (command) => `true && ${command}`,
    (command) => `ls; ${command}`,
    (command) => `(${command}\n)`,
    (command) => `{ ${command}\n}`,
    (command) => `if true; then ${command}\nfi`,
    (command) => `echo "$(${command}\n)"`,
    (command) => `${command} ; true`,
    (command) => `cat a.txt | ${command}`,
  ];
  for (const disguise of disguises) {
    const disguised = dangerous.map((row) => ({ ...row, command: disguise(row.command) }));
    expect((await allowedAmong(disguised)).map(({ id, command }) => `${id}: ${command}`)).toEqual([]);
  }
});

test("nearly every harmless command is let through without a question", async () => {
  const allowed = new Set(await allowedAmong(harmless));
  const plain = harmless.filter((row) => !isHard(row));
  const share = (some: readonly Row[]) => some.filter((row) => allowed.has(row)).length / some.length;
  expect(share(plain)).toBeGreaterThanOrEqual(0.98);
  expect(share(harmless)).toBeGreaterThanOrEqual(0.95);
});
