import type { SourceNode } from "../../../capabilities/code/parse-source.ts";
import { memberNames, textOf, valueAt } from "../source-view.ts";
import { better, change, type FoundUse, type Move, unnamed } from "./move.ts";

const inGo =
  "it is written in Go: serve it over MCP and name the server in mcpServers, or write it in TypeScript with the same methods, for toolwright/flyto";

/** Flyto's engine and its tools are written in Go, so there are no import lines to change. */
export const flytoMove: Move = {
  title: "Flyto",
  entry: "toolwright/flyto",
  packages: [],
  words: String.raw`ProgressFunc|InputSchema\(|\.Tools\(\)\.Register\(|tools\.Metadata|DeferredRegistry|\bInputSchema\b`,
  glob: "*.{go,ts,tsx,mts,cts,js,jsx,mjs,cjs}",
  missing: {},
  missingMethods: {},
  find: ({ path, text, objects, classes }) =>
    path.endsWith(".go") ? goUses(text) : [...objects, ...classes].flatMap(writtenTool),
};

/** A tool with Flyto's methods in TypeScript or JavaScript. */
function writtenTool(node: SourceNode): FoundUse[] {
  const keys = memberNames(node).map((key) => key.toLowerCase());
  if (!["name", "inputschema", "execute"].every((key) => keys.includes(key))) return [];
  const name = textOf(valueAt(node, "Name")) ?? textOf(valueAt(node, "name")) ?? unnamed;
  return [
    { kind: "tool", name, node, ...better("its input is checked, and every call is judged and recorded") },
  ];
}

const goTools = /func \(\w* ?\*?(\w+)\) Name\(\) string\s*\{\s*return\s+(?:"([^"\n]*)"|`([^`]*)`)?/g;
const goParts: readonly (readonly [RegExp, FoundUse["kind"], string, string])[] = [
  [
    /\.Tools\(\)\.Register\(/g,
    "method",
    "Register",
    "the engine of toolwright/flyto has the same method, for tools in TypeScript",
  ],
  [
    /\.(?:ActiveTools|SearchTools|ActivateTool|IsDeferred|ResetActivations)\(/g,
    "method",
    "DeferredRegistry",
    "the registry of toolwright/flyto has the same methods",
  ],
];

function goUses(text: string): FoundUse[] {
  const tools = [...text.matchAll(goTools)].map(
    ({ index, 1: type = "", 2: quoted, 3: raw }): FoundUse => ({
      kind: "tool",
      name: quoted ?? raw ?? type,
      node: { start: index },
      ...change(inGo),
    }),
  );
  const parts = goParts.flatMap(([pattern, kind, name, advice]) =>
    [...text.matchAll(pattern)].map(
      ({ index }): FoundUse => ({ kind, name, node: { start: index }, ...change(advice) }),
    ),
  );
  return [...tools, ...parts];
}
