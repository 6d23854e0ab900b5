import { join } from "node:path";
import { expect, test } from "vitest";
import { keptKinds } from "../../src/capabilities.ts";
import { readText } from "./project-files.ts";
import { readSourceFiles } from "./source-files.ts";

const files = await readSourceFiles();

/** What reads and writes variables by the name of their scope; what a session keeps is declared, and read by its declaration. */
const direct = [
  // The store, what opens and writes a kind of kept state, and what writes nothing.
  ...["kernel/store", "kernel/session/kept/", "kernel/session/session-log.ts"],
  ...["kernel/call/asking/preview-request.ts", "testing/recording-log.ts"],
  // Gives the session up.
  "kernel/runtime/session/serve-session.ts",
];

test("kept state: only its declaration names its place, and only the store and its door read and write there", () => {
  const found = files.flatMap(({ path, code }) =>
    direct.some((place) => path.startsWith(place)) ||
    !/\b(?:store\.readVariables|listScopes|noteVariable)\(/.test(code)
      ? []
      : [path],
  );
  expect(found).toEqual([]);
});

test("kept state: no scope is put together beside its declaration", async () => {
  const names = keptKinds.map(({ scope }) => scope).join("|");
  const scope = new RegExp(`[\`"](?:${names}):(?:\\$\\{|[\`"])`);
  const found: string[] = [];
  for (const { path } of files) if (scope.test(await readText(join("src", path)))) found.push(path);
  expect(found).toEqual([]);
});
