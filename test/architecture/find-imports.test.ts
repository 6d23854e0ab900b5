// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source text
import { expect, test } from "vitest";
import { blankLiterals } from "./blank-literals.ts";
import { findCycle } from "./find-cycle.ts";
import { findImports } from "./find-imports.ts";

test("findImports finds imports and re-exports of every form, and when each is loaded", () => {
  const source = `
    import { readFile } from "node:fs/promises";
    import type { A } from './a.ts';
    import b, { type B } from "../b.ts";
    import "./side-effect.ts";
    export * from "./all.ts";
    export type { C } from "./c.ts";
    export interface D { readonly from: "elsewhere" }
    const lazy = await import("./lazy.ts");
    const computed = await import(name);
  `;
  expect(findImports("x/y.ts", blankLiterals(source))).toEqual([
    { target: "node:fs/promises", isOwn: false, kind: "eager" },
    { target: "x/a.ts", isOwn: true, kind: "type" },
    { target: "b.ts", isOwn: true, kind: "eager" },
    { target: "x/side-effect.ts", isOwn: true, kind: "eager" },
    { target: "x/all.ts", isOwn: true, kind: "eager" },
    { target: "x/c.ts", isOwn: true, kind: "type" },
    { target: "x/lazy.ts", isOwn: true, kind: "lazy" },
  ]);
});

test("findImports is not misled by comments, strings, templates and patterns", () => {
  const source = [
    '// import "./comment.ts"',
    '/* import "./block.ts" */',
    "const text = \"import './string.ts'\";",
    'const template = `import "./template.ts" ${`${await import("./inner.ts")} import "./deep.ts"`} {`;',
    "const pattern = /[\"'`/]/.test(\"x\") ? 6 / 2 : '\\'';",
    'import "./real.ts";',
  ].join("\n");
  const targets = findImports("y.ts", blankLiterals(source)).map(({ target }) => target);
  expect(targets).toEqual(["inner.ts", "real.ts"]);
});

test("blankLiterals blanks everything that is not code, and keeps every place where it was", () => {
  const source = 'const any = "any"; // any\n/any/.test(`any ${any}`);';
  const { code } = blankLiterals(source);
  expect(code).toBe('const any = "   ";       \n     .test(`    ${any}`);');
});

test("findCycle tells the way round a cycle, and nothing where there is none", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", []],
    ["d", ["b"]],
  ]);
  expect(findCycle(graph)).toEqual(["b", "d", "b"]);
  graph.set("d", ["c"]);
  expect(findCycle(graph)).toBeUndefined();
});
