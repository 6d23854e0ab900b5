import { expect, test } from "vitest";
import type { Dialect, DialectTool } from "../../../src/runtime/dialects/dialect.ts";
import { createInputTranslation } from "../../../src/runtime/dialects/translate-input.ts";
import { translateSchema } from "../../../src/runtime/dialects/translate-schema.ts";
import type { AnyTool } from "../../../src/tool/define-tool.ts";
import { fileList, fileRead, webFetch } from "./stand-ins.ts";

const readParams = { path: { name: "file_path" }, offset: { countsFrom: 0 } } as const;

test("arguments arrive under the tool's own names, counted its way, with the dialect's defaults", () => {
  const translate = translation(fileRead, { ...readParams, limit: { default: 250 } });
  expect(translate({ file_path: "/a.ts", offset: 4 })).toEqual({
    ok: true,
    input: { path: "/a.ts", offset: 5, limit: 250 },
  });
});

test("seconds arrive as milliseconds", () => {
  const translate = translation(webFetch, { timeoutMs: { name: "timeout", unit: "seconds" }, debug: null });
  expect(translate({ url: "https://example.com", timeout: 90 })).toMatchObject({
    input: { timeoutMs: 90_000 },
  });
});

test("a value out of range is refused with the range as the dialect counts it", () => {
  expect(messages(translation(fileRead, readParams), { file_path: "/a.ts", offset: -1 })).toEqual([
    "$.offset must be at least 0; received -1",
  ]);
  const fetch = translation(webFetch, { timeoutMs: { name: "timeout", unit: "seconds" } });
  expect(messages(fetch, { url: "u", timeout: 121 })).toEqual([
    "$.timeout must be between 1 and 120; received 121",
  ]);
});

test("a parameter's canonical name is unknown where the dialect has another", () => {
  expect(messages(translation(fileRead, readParams), { path: "/a.ts" })).toEqual([
    "$.file_path is required but missing",
    "$.path is not allowed (did you mean file_path?); expected only file_path, offset, limit",
  ]);
});

test("a hidden parameter cannot be set", () => {
  const translate = translation(webFetch, { debug: null });
  expect(messages(translate, { url: "u", debug: true })).toEqual([
    "$.debug is not allowed; expected only url, timeoutMs, waitMs",
  ]);
});

test("a relative path is refused where paths must be absolute, with a hint", () => {
  const translate = translation(fileRead, readParams, "absolute");
  expect(translate({ file_path: "src/a.ts" })).toEqual({
    ok: false,
    issues: [
      {
        path: "$.file_path",
        expected: "an absolute path",
        received: '"src/a.ts"',
        message: '$.file_path must be an absolute path; received "src/a.ts"',
      },
    ],
    hint: "Use an absolute path that starts with the workspace root.",
  });
});

test.each(["", ".", "~/a.ts", "../a.ts"])("%j is not an absolute path", (path) => {
  expect(translation(fileRead, readParams, "absolute")({ file_path: path }).ok).toBe(false);
});

test("an absolute path passes where paths must be absolute", () => {
  expect(translation(fileRead, readParams, "absolute")({ file_path: "/src/a.ts" }).ok).toBe(true);
});

test("a default path need not be absolute, since nobody sent it", () => {
  const translate = translation(fileList, {}, "absolute");
  expect(translate({})).toEqual({ ok: true, input: { path: ".", recursive: false } });
  expect(translate({ path: undefined }).ok).toBe(true);
  expect(translate({ path: "." }).ok).toBe(false);
});

test.each([null, "text", [1], 3])("%j is refused as an input", (input) => {
  expect(messages(translation(fileRead, readParams, "absolute"), input)[0]).toMatch("$ must be an object");
});

test("an input with a key that could reach a prototype is refused", () => {
  const input = JSON.parse('{ "file_path": "/a.ts", "__proto__": { "offset": 3 } }');
  expect(translation(fileRead, readParams)(input).ok).toBe(false);
});

test("the caller's own object is left alone", () => {
  const input = { file_path: "/a.ts" };
  translation(fileRead, readParams)(input);
  expect(input).toEqual({ file_path: "/a.ts" });
});

function translation(
  { inputSchema }: AnyTool,
  params: NonNullable<DialectTool["params"]>,
  pathPolicy: Dialect["pathPolicy"] = "any",
) {
  return createInputTranslation({
    canonicalSchema: inputSchema,
    dialectSchema: translateSchema(inputSchema, params),
    params,
    pathPolicy,
  });
}

function messages(translate: ReturnType<typeof createInputTranslation>, input: unknown): string[] {
  const result = translate(input);
  return result.ok ? [] : result.issues.map(({ message }) => message);
}
