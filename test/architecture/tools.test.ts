import { join } from "node:path";
import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import type { AnyTool } from "../../src/tool/define-tool.ts";
import { findMissing, projectFolder } from "./project-files.ts";
import { readSourceFiles } from "./source-files.ts";

const files = await readSourceFiles();
// What several tools share lies beside the groups.
const paths = files.map(({ path }) => path).filter((path) => /^capabilities\/[^/]+\/tools\/.+\//.test(path));
const tools = await Promise.all(
  paths.map(async (path) => {
    const module: { default?: AnyTool } = await import(join(projectFolder, "src", path));
    return { path, tool: module.default };
  }),
);

test("every file in a group is a tool named after its path", () => {
  expect(paths).not.toEqual([]);
  const named = tools.map(({ path, tool }) => [path, tool?.name]);
  expect(named).toEqual(paths.map((path) => [path, nameOf(path)]));
});

test("every file of a tool is in the list of built-in tools, and nothing else is", () => {
  const builtIn = new Set(builtinTools);
  expect(tools.filter(({ tool }) => tool === undefined || !builtIn.has(tool))).toEqual([]);
  expect(builtIn.size).toBe(tools.length);
});

test("the schema of every tool is valid, though it is compiled only when it is needed", () => {
  const schemas = builtinTools.map((tool) => tool.inputSchema);
  expect(schemas.filter(({ type }) => type !== "object")).toEqual([]);
});

test("every tool has its tests in the same place under test", async () => {
  const testFiles = paths.map((path) => join("test", path.replace(/\.ts$/, ".test.ts")));
  expect(await findMissing(testFiles)).toEqual([]);
});

/** `capabilities/files/tools/file/read.ts` → `file_read`; anything deeper or shallower has no name. */
function nameOf(path: string): string | undefined {
  const [, group, action] = /^capabilities\/[a-z-]+\/tools\/([a-z]+)\/([a-z-]+)\.ts$/.exec(path) ?? [];
  return action === undefined ? undefined : `${group}_${action.replaceAll("-", "_")}`;
}
