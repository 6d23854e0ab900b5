import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { readSourceFiles } from "./source-files.ts";

const files = await readSourceFiles();

// About as many as one takes in at a glance.
const maxFiles = 20;

test("a room holds no more files than one takes in at a glance", () => {
  const rooms = Map.groupBy(files, ({ path }) => dirname(path));
  const crowded = [...rooms].filter(([, inside]) => inside.length > maxFiles);
  expect(crowded.map(([room, inside]) => `${room}: ${inside.length} files`)).toEqual([]);
});

test("the root holds the public API and the list of capabilities, and at most one file more", () => {
  const atRoot = files.filter(({ folder }) => folder === "src").map(({ path }) => path);
  expect(atRoot).toEqual(expect.arrayContaining(["capabilities.ts", "index.ts", "open-runtime.ts"]));
  expect(atRoot.length).toBeLessThanOrEqual(4);
});

test("no two files have one name, but where the path is the name", () => {
  // `capabilities/files/tools/file/read.ts` is file_read, `faces/cli/commands/log.ts` the verb log, and a table is named after its programs.
  const pathIsName =
    /^(?:capabilities\/[^/]+\/tools|faces\/cli\/commands|machine\/command-reading\/tables)\/|(?:^|\/)index\.ts$/;
  const named = files.map(({ path }) => path).filter((path) => !pathIsName.test(path));
  expect(namedAlike(named.map((path) => [basename(path), path]))).toEqual([]);
});

test("no two files export one name", () => {
  const declaration = /^export (?:async )?(?:function\*?|const|class|interface|type) +(\w+)/gm;
  const exported = files.flatMap(({ path, code }) => {
    // One name may be declared several times in a file: for several ways to call it, or as a type and a value.
    const names = new Set([...code.matchAll(declaration)].map(([, name]) => name!));
    return [...names].map((name): [string, string] => [name, path]);
  });
  expect(exported.length).toBeGreaterThan(500);
  expect(namedAlike(exported)).toEqual([]);
});

function namedAlike(named: readonly [name: string, path: string][]): string[] {
  const byName = Map.groupBy(named, ([name]) => name);
  return [...byName]
    .filter(([, alike]) => alike.length > 1)
    .map(([name, alike]) => `${name}: ${alike.map(([, path]) => path).join(", ")}`);
}
