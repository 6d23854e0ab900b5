import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { scanNames } from "../../../../src/runtime/sandbox/protected/scan-names.ts";
import { gitEnvironment } from "../../../support/git-environment.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const names = { protectedNames: [], sensitiveNames: [".env*", "*.env"] };

test("a secret is taken for one that git keeps by its whole path alone", async () => {
  const root = await temporaryFolder();
  const longName = `${"n".repeat(200)}.env`;
  const kept = ["sub/.env", "my.env", `sub/${longName}`];
  await mkdir(join(root, "sub"));
  await Promise.all([...kept, ".env", longName, "later.env"].map((path) => writeFile(join(root, path), "")));
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-C", root, ...args], { env: gitEnvironment });
  await git("init", "--quiet");
  await git("add", ...kept);
  expect(await found(root)).toEqual([".env", "later.env", longName].sort());
  // Makes git write what it knows of each file in a longer form.
  await git("add", "--intent-to-add", "later.env");
  expect(await found(root)).toEqual([".env", longName].sort());
});

test("a name is found in every spelling that the floor knows", async () => {
  const root = await temporaryFolder();
  const spellings = [".ENV", ".e\u200bnv", "\uff0eenv", "my.env.", "my.env:x", "x:my.env", ".env\u0303"];
  await mkdir(join(root, "sub"));
  for (const name of [...spellings, "my.en", "env"]) await writeFile(join(root, "sub", name), "");
  const { protectedPaths, sensitivePaths } = await scanNames(root, {
    ...names,
    protectedNames: names.sensitiveNames,
  });
  const expected = spellings.map((name) => join(root, "sub", name)).sort();
  expect([...sensitivePaths].sort()).toEqual(expected);
  expect([...protectedPaths].sort()).toEqual(expected);
});

async function found(root: string): Promise<readonly string[]> {
  const { sensitivePaths } = await scanNames(root, names);
  return sensitivePaths.map((path) => path.slice(root.length + 1)).sort();
}
