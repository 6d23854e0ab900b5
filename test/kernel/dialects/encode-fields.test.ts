import { expect, test } from "vitest";
import { createFieldEncoder } from "../../../src/kernel/dialects/encode-fields.ts";
import { translateOutputSchema } from "../../../src/kernel/dialects/translate-output-schema.ts";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import { fileList } from "./stand-ins.ts";

const fields = {
  folder: "path",
  files: { list: "entries", fields: { name: "name", size: "sizeBytes", target: "linkTarget" } },
};
const listing = {
  path: "src",
  truncated: false,
  entries: [
    { name: "a", path: "src/a", type: "file", sizeBytes: 3, modifiedAt: "2026-01-01T00:00:00Z" },
    {
      name: "b",
      path: "src/b",
      type: "link",
      sizeBytes: 1,
      modifiedAt: "2026-01-01T00:00:00Z",
      linkTarget: "a",
    },
  ],
};

test("fields and fields of list items get the dialect's names, and a field that is not there is left out", () => {
  expect(createFieldEncoder(fields)({ data: listing })).toStrictEqual({
    folder: "src",
    files: [
      { name: "a", size: 3 },
      { name: "b", size: 1, target: "a" },
    ],
  });
});

test("a dotted path reaches into the data", () => {
  expect(
    createFieldEncoder({ exit: "result.code", gone: "result.code.deeper" })({
      data: { result: { code: 0 } },
    }),
  ).toEqual({
    exit: 0,
  });
});

test("only the data's own fields are found", () => {
  expect(createFieldEncoder({ name: "constructor.name", text: "toString" })({ data: { a: 1 } })).toEqual({});
});

test("a field may be a constant, an argument, a length, the text, a word of the dialect's, an object or a list", () => {
  const parts = {
    data: { files: [{ path: "a" }, { path: "b" }], state: "done" },
    input: { offset: 5, content: "four", pattern: "*" },
    text: "2 files",
  } as const;
  const encode = createFieldEncoder(
    {
      ok: { value: true },
      pattern: { input: "pattern" },
      offset: { input: "offset" },
      limit: { input: "limit" },
      length: { lengthOf: { input: "content" } },
      count: { lengthOf: "files" },
      message: { text: true },
      status: { from: "state", words: { done: "completed" } },
      data: { fields: { state: "state" } },
      paths: { list: "files", item: "path" },
      entries: { list: "files", item: { fields: { name: "path", ok: { value: true } } } },
    },
    { offset: { countsFrom: 0 } },
  );
  expect(encode(parts)).toStrictEqual({
    ok: true,
    pattern: "*",
    offset: 4,
    length: 4,
    count: 2,
    message: "2 files",
    status: "completed",
    data: { state: "done" },
    paths: ["a", "b"],
    entries: [
      { name: "a", ok: true },
      { name: "b", ok: true },
    ],
  });
});

test("the translated output schema describes the translated data, and no other", () => {
  const validate = compileSchema(translateOutputSchema(fileList.outputSchema!, fields));
  expect(validate(createFieldEncoder(fields)({ data: listing })).ok).toBe(true);
  expect(validate(listing).ok).toBe(false);
  expect(validate({ folder: "src", files: [{ name: "a" }] }).ok).toBe(false);
  expect(validate({ folder: "src", files: [{ name: "a", size: 3 }] }).ok).toBe(true);
});

test("a field that the output schema does not mention may be anything", () => {
  expect(translateOutputSchema({ type: "object" }, { extra: "meta.extra" })).toEqual({
    type: "object",
    properties: { extra: true },
    additionalProperties: false,
  });
});
