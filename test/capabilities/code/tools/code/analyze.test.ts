import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../../src/index.ts";
import type { ParsedCode } from "../../../../../src/tool/services/source-code.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

interface Analysis {
  readonly files: readonly (ParsedCode & { readonly path: string })[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  readonly total: number;
  readonly truncated: boolean;
  readonly nextOffset?: number;
}

async function openWith(files: Record<string, string>, options: RuntimeOptions = {}) {
  const opened = await openTestSession({ dialect: "kode", ...options });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(opened.workspace, path)), { recursive: true });
    await writeFile(join(opened.workspace, path), text);
  }
  const analyze = async (input: object = {}) => {
    const result = await opened.session.call("code_analyze", input);
    return { ...result, analysis: result.data as Analysis };
  };
  return { ...opened, analyze };
}

const source = `import a, { b as c, type D } from "x";
import type { Only } from "types";
import * as ns from "./y.ts";
import "side";
export * from "z";
export { q } from "w";
/* function comment() {} */
export default class K extends B {
  static make(x) { return "function text() {}"; }
  get value() { return 1; }
  #hidden = 2;
  run = () => 1;
}
export const one = 1, two = () => 2;
function fn() {
  function inner() {}
}
export { fn as renamed };
export interface I { x: number }
type T = string;
enum E { A }
namespace N { export const z = 1; }
let { p, r: [s] } = a;
const lazy = () => import("./lazy.ts");
`;

test("the symbols and imports of a file are those that a parser sees", async () => {
  const { analyze } = await openWith({ "a.ts": source }, { permissions: { mode: "readonly" } });
  const { analysis, text } = await analyze({ path: "a.ts" });
  const [file] = analysis.files;
  expect(file!.problems).toEqual([]);
  expect(file!.imports).toEqual([
    { from: "x", line: 1, kind: "import", names: ["default", "b", "D"] },
    { from: "types", line: 2, kind: "import", names: ["Only"], isTypeOnly: true },
    { from: "./y.ts", line: 3, kind: "import", names: ["*"] },
    { from: "side", line: 4, kind: "import", names: [] },
    { from: "z", line: 5, kind: "reexport", names: ["*"] },
    { from: "w", line: 6, kind: "reexport", names: ["q"] },
    { from: "./lazy.ts", line: 24, kind: "dynamic", names: ["*"] },
  ]);
  const shown = file!.symbols.map(({ name, kind, line, endLine, parent, exportedAs }) =>
    [kind, parent === undefined ? name : `${parent}.${name}`, `${line}-${endLine}`, exportedAs?.join()]
      .join(" ")
      .trim(),
  );
  expect(shown).toEqual([
    "class K 8-13 default",
    "method K.make 9-9",
    "method K.value 10-10",
    "field K.#hidden 11-11",
    "method K.run 12-12",
    "constant one 14-14 one",
    "function two 14-14 two",
    "function fn 15-17 renamed",
    "interface I 19-19 I",
    "type T 20-20",
    "enum E 21-21",
    "namespace N 22-22",
    "constant N.z 22-22",
    "variable p 23-23",
    "variable s 23-23",
    "function lazy 24-24",
  ]);
  expect(text).toContain("  15-17 function fn (exported as renamed)\n");
  expect(text).toContain('  2 imports types Only from "types"\n');
});

test("CommonJS is read as well, and a syntax error is told with its line", async () => {
  const { analyze } = await openWith({
    "a.cjs":
      'const { x } = require("one");\nrequire("two");\nexports.go = function () {};\nmodule.exports = { x };\n',
    "b.js": "export const fine = 1;\nlet x = ;\n",
  });
  const { analysis } = await analyze();
  expect(analysis.files[0]).toMatchObject({
    path: "a.cjs",
    imports: [
      { from: "one", kind: "require", names: ["x"] },
      { from: "two", kind: "require", names: [] },
    ],
    symbols: [
      { name: "x" },
      { name: "go", kind: "function", exportedAs: ["go"] },
      { name: "module.exports" },
    ],
  });
  expect(analysis.files[1]).toMatchObject({
    path: "b.js",
    problems: [{ line: 2, message: "Unexpected token" }],
  });
});

test("of a folder, what git ignores, rules hide or links lead to is not read, and pages go on by path", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`src/f${10 + index}.ts`, `export const v${index} = 1;\n`]),
  );
  const { analyze, workspace } = await openWith(
    {
      ...files,
      "node_modules/x/index.js": "export const no = 1;",
      "secret/s.ts": "export const hidden = 1;",
      "note.md": "# no",
    },
    { permissions: { mode: "auto", deny: ["Read(secret/**)"] } },
  );
  await symlink("/etc", join(workspace, "src/link"));
  const first = await analyze({ max_files: 20 });
  expect(first).toMatchObject({ truncated: true, analysis: { total: 30, truncated: true, nextOffset: 20 } });
  expect(first.text).not.toMatch(/hidden|secret|\bno\b/);
  expect(first.text).toMatch(/Continue with offset=20/);
  const second = await analyze({ offset: 20, max_files: 20 });
  expect(second.analysis.files.map(({ path }) => path)).toEqual(Object.keys(files).slice(20));
  expect((await analyze({ path: "secret/s.ts" })).status).toBe("denied");
  expect((await analyze({ path: "note.md" })).error).toMatchObject({ code: "unsupported" });
});

test("an answer stays within its length, and goes on where it ends", async () => {
  const many = (file: number) =>
    Array.from({ length: 40 }, (_, index) => `export const value_${file}_${index} = 1;`).join("\n");
  const { analyze } = await openWith(
    { "a.ts": many(1), "b.ts": many(2), "c.ts": many(3) },
    { output: { maxCharacters: 3000 } },
  );
  const first = await analyze();
  expect(first.text.length).toBeLessThanOrEqual(3000);
  const { nextOffset } = first.analysis;
  expect(nextOffset).toBe(1);
  expect((await analyze({ offset: nextOffset })).analysis.files[0]?.path).toBe("b.ts");
});

test("a text that crashes the parser costs one file, and not the process", async () => {
  const { analyze } = await openWith({
    "deep.ts": "[".repeat(200_000),
    "fine.ts": "export const fine = 1;\n",
    "huge.ts": " ".repeat(1_100_000),
  });
  const { analysis, status } = await analyze();
  expect(status).toBe("done");
  expect(analysis.files.map(({ path }) => path)).toEqual(["fine.ts"]);
  expect(analysis.skipped.map(({ path }) => path)).toEqual(["deep.ts", "huge.ts"]);
  expect(analysis.skipped[0]?.why).toBe("deep.ts is too large or too deeply nested to be parsed");
});
