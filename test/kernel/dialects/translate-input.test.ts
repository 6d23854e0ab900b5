import { expect, test } from "vitest";
import type { Dialect, DialectTool } from "../../../src/kernel/dialects/dialect.ts";
import { createInputTranslation } from "../../../src/kernel/dialects/translate-input.ts";
import { translateSchema } from "../../../src/kernel/dialects/translate-schema.ts";
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
    hint: expect.any(Function),
  });
});

test.each(["", ".", "~/a.ts", "../a.ts"])("%j is not an absolute path", (path) => {
  expect(translation(fileRead, readParams, "absolute")({ file_path: path }).ok).toBe(false);
});

test("an absolute path passes where paths must be absolute", () => {
  expect(translation(fileRead, readParams, "absolute")({ file_path: "/src/a.ts" }).ok).toBe(true);
});

test("a default path need not be absolute, since no caller sent it", () => {
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

const multiEdit = {
  type: "object",
  properties: {
    edits: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string", format: "path" }, old_string: { type: "string" } },
        required: ["path"],
        additionalProperties: false,
      },
    },
    prompt: { type: "string" },
    literal: { type: "boolean", default: false },
    mode: { type: "string", enum: ["content", "count"], default: "content" },
  },
  required: ["prompt"],
  additionalProperties: false,
} as const;

const kodeLike: Pick<DialectTool, "params" | "ownParams"> = {
  params: {
    edits: { items: { old_string: { name: "find" } } },
    literal: { fixed: true },
    mode: { words: { count: "number" } },
  },
  ownParams: {
    context: { schema: { type: "string" }, appendsTo: "prompt" },
    action: { schema: { type: "string", enum: ["load"] }, isRequired: true },
  },
};

function kodeLikeTranslation(pathPolicy: Dialect["pathPolicy"] = "any") {
  const dialectSchema = translateSchema(multiEdit, kodeLike);
  return createInputTranslation({ canonicalSchema: multiEdit, dialectSchema, ...kodeLike, pathPolicy });
}

test("fields of list items, words of a choice, fixed values and the dialect's own parameters become the tool's", () => {
  const given = {
    edits: [{ path: "a", find: "x" }],
    mode: "number",
    prompt: "Look.",
    context: "It is new.",
    action: "load",
  };
  expect(kodeLikeTranslation()(given)).toEqual({
    ok: true,
    input: {
      edits: [{ path: "a", old_string: "x" }],
      mode: "count",
      prompt: "Look.\n\nIt is new.",
      literal: true,
    },
  });
});

test("neither a fixed parameter, nor a canonical name inside a list, nor a word of the tool's own is taken", () => {
  const wrong = { edits: [{ path: "a", old_string: "x" }], literal: false, mode: "count", prompt: "" };
  expect(messages(kodeLikeTranslation(), wrong)).toEqual([
    "$.action is required but missing",
    "$.edits[0].old_string is not allowed; expected only path, find",
    '$.mode must be one of "content", "number"; received "count"',
    "$.literal is not allowed; expected only edits, prompt, mode, context, action",
  ]);
});

test("a relative path inside a list is refused where paths must be absolute", () => {
  const given = { edits: [{ path: "/a" }, { path: "b" }], prompt: "", action: "load" };
  expect(messages(kodeLikeTranslation("absolute"), given)).toEqual([
    '$.edits[1].path must be an absolute path; received "b"',
  ]);
});

function translation(
  { inputSchema }: AnyTool,
  params: NonNullable<DialectTool["params"]>,
  pathPolicy: Dialect["pathPolicy"] = "any",
) {
  return createInputTranslation({
    canonicalSchema: inputSchema,
    dialectSchema: translateSchema(inputSchema, { params }),
    params,
    pathPolicy,
  });
}

function messages(translate: ReturnType<typeof createInputTranslation>, input: unknown): string[] {
  const result = translate(input);
  return result.ok ? [] : result.issues.map(({ message }) => message);
}

test("a parameter is accepted under each of its names, and under one at a time", () => {
  const params = { path: { name: "file_path", otherNames: ["filePath", "file"] } };
  const translate = translation(fileRead, params);
  expect(translate({ filePath: "/a.ts" })).toMatchObject({ ok: true, input: { path: "/a.ts" } });
  expect(translate({ file: "/a.ts" })).toMatchObject({ ok: true, input: { path: "/a.ts" } });
  expect(messages(translate, { file_path: "/a.ts", filePath: "/a.ts" })).toEqual([
    "$.file_path must have one value; received two, under two of its names",
  ]);
  const hostile = JSON.parse('{ "file": "/a.ts", "__proto__": { "offset": 3 } }');
  expect(translate(hostile).ok).toBe(false);
});
