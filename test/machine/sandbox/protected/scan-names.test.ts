import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNameScanner } from "../../../../src/machine/sandbox/protected/scan-names.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const names = { protectedNames: [".vscode"], sensitiveNames: [".env*", "*.env"] };

test("a name is found in every spelling that the floor knows", async () => {
  const root = await temporaryFolder();
  const spellings = [".ENV", ".e\u200bnv", "\uff0eenv", "my.env.", "my.env:x", "x:my.env", ".env\u0303"];
  await mkdir(join(root, "sub"));
  for (const name of [...spellings, "my.en", "env"]) await writeFile(join(root, "sub", name), "");
  const scan = createNameScanner({ ...names, protectedNames: names.sensitiveNames });
  const { protectedPaths, sensitivePaths } = await scan(root);
  const expected = spellings.map((name) => join(root, "sub", name)).sort();
  expect([...sensitivePaths].sort()).toEqual(expected);
  expect(protectedPaths.map(({ path }) => path).sort()).toEqual(expected);
});

test("changes since the last look are seen, however deep, and however many there are", async () => {
  const root = await temporaryFolder();
  const deep = join(root, ...Array.from({ length: 20 }, () => "d"));
  await mkdir(deep, { recursive: true });
  const scan = createNameScanner(names);
  expect((await scan(root)).sensitivePaths).toEqual([]);
  const many = Array.from({ length: 300 }, (_, number) => join(deep, `${number}.env`));
  await Promise.all(many.map((path) => writeFile(path, "")));
  expect(new Set((await scan(root)).sensitivePaths)).toEqual(new Set(many));
  await rename(deep, join(root, "moved"));
  expect((await scan(root)).sensitivePaths).toContain(join(root, "moved", "1.env"));
  await rm(join(root, "moved"), { recursive: true });
  expect((await scan(root)).sensitivePaths).toEqual([]);
});

test("a scan says when there are more folders than it looks through, and installed packages do not count", async () => {
  const root = await temporaryFolder();
  for (const folder of ["a/b", "node_modules/x", "c"]) {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, ".env"), "");
  }
  const whole = await createNameScanner(names, { maxFolders: 4 })(root);
  expect(whole).toMatchObject({ isComplete: true });
  expect([...whole.sensitivePaths].sort()).toEqual([join(root, "a/b/.env"), join(root, "c/.env")]);
  expect(await createNameScanner(names, { maxFolders: 2 })(root)).toMatchObject({ isComplete: false });
});
