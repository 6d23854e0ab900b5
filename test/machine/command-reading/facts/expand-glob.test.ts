import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expandGlob } from "../../../../src/machine/command-reading/facts/expand-glob.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "glob-"));
  await mkdir(join(folder, "src/deep"), { recursive: true });
  for (const name of [
    ".env",
    ".envrc",
    "a.txt",
    "b.txt",
    "id_rsa",
    "src/x.ts",
    "src/deep/y.ts",
    "we[i]rd",
    "é",
    "[a-",
  ]) {
    await writeFile(join(folder, name), "");
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  "*.txt",
  ".e*",
  ".*",
  "*",
  "?.txt",
  "[ab].txt",
  "[!a].txt",
  "src/*/*.ts",
  "*/x.ts",
  "id_*",
  "nothing*",
  "[i]d_rsa",
  "[.]env",
  "[!x]env",
  "\\.env",
  "[]a].txt",
  "[^]b].txt",
  "[[:alpha:]].txt",
  "[a\\]].txt",
  "[a-",
  "we[[]i]rd",
  "we\\[i]rd",
  "?",
  "[é]",
])("%s stands for everything that bash makes of it", async (pattern) => {
  const listing = `printf '%s\\n' ${pattern}`;
  // By bytes, as in the locale C, é would be two characters.
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
  const { stdout } = await promisify(execFile)("bash", ["-c", listing], { cwd: folder, env });
  const expected = stdout
    .trimEnd()
    .split("\n")
    .filter((name) => name !== "." && name !== "..");
  const found = await expandGlob(join(folder, pattern));
  expect(found).toEqual(expect.arrayContaining(expected.map((name) => join(folder, name))));
});

test("a pattern for plain names leaves hidden ones alone", async () => {
  expect(await expandGlob(join(folder, "*"))).not.toContain(join(folder, ".env"));
});

test.each(["[12]", "[ab]*", "[.]*", "[a-z]nv", "????"])(
  "%s is not taken for a secret that it cannot match",
  async (pattern) => {
    const found = await expandGlob(join(folder, pattern));
    expect(found?.filter((path) => /\.env|id_rsa/.test(path))).toEqual([]);
  },
);

test("many stars take no longer", async () => {
  await writeFile(join(folder, "a".repeat(250)), "");
  expect(await expandGlob(join(folder, `${"*a".repeat(120)}b`))).toHaveLength(1);
});

test("too many paths to look through are not looked through", async () => {
  expect(await expandGlob(join(folder, "*"), { maxPaths: 2 })).toBeUndefined();
});

test("a step back is left for the walk, which knows where links lead", async () => {
  expect(await expandGlob(`${folder}/link/../secret`)).toEqual([`${folder}/link/../secret`]);
  expect(await expandGlob(`${folder}/src/../*.txt`)).toContain(`${folder}/src/../a.txt`);
});
