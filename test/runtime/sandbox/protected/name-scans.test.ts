import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNameScans } from "../../../../src/runtime/sandbox/protected/name-scans.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const names = { protectedNames: [], sensitiveNames: [".env"] };

test("what was looked at long ago is looked at again before a command starts, however long that takes", async () => {
  const root = await temporaryFolder();
  const folders = Array.from({ length: 1000 }, (_, number) => join(root, String(number)));
  await Promise.all(folders.map((folder) => mkdir(folder)));
  const scan = createNameScans(names, { maxAgeMs: -1, maxStaleMs: -1 });
  expect((await scan(root)).sensitivePaths).toEqual([]);
  await writeFile(join(root, "999", ".env"), "");
  expect((await scan(root)).sensitivePaths).toEqual([join(root, "999", ".env")]);
});

test("what was looked at a moment ago is not looked at again", async () => {
  const root = await temporaryFolder();
  const scan = createNameScans(names);
  const first = await scan(root);
  expect(await scan(root)).toBe(first);
});
