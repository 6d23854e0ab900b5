import { expect, test } from "vitest";
import { encodeFields } from "../../../src/runtime/dialects/encode-fields.ts";
import { translateOutputSchema } from "../../../src/runtime/dialects/translate-output-schema.ts";
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
  expect(encodeFields(listing, fields)).toStrictEqual({
    folder: "src",
    files: [
      { name: "a", size: 3 },
      { name: "b", size: 1, target: "a" },
    ],
  });
});

test("a dotted path reaches into the data", () => {
  expect(encodeFields({ result: { code: 0 } }, { exit: "result.code", gone: "result.code.deeper" })).toEqual({
    exit: 0,
  });
});

test("only the data's own fields are found", () => {
  expect(encodeFields({ a: 1 }, { name: "constructor.name", text: "toString" })).toEqual({});
});

test.each(["text", null, 3, ["a"]])("data that is no object, such as %j, stays as it is", (data) => {
  expect(encodeFields(data, fields)).toEqual(data);
});

test("the translated output schema describes the translated data, and no other", () => {
  const validate = compileSchema(translateOutputSchema(fileList.outputSchema!, fields));
  expect(validate(encodeFields(listing, fields)).ok).toBe(true);
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
