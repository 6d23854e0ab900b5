import { expect, test } from "vitest";
import { translateSchema } from "../../../src/kernel/dialects/translate-schema.ts";
import { fileRead, webFetch } from "./stand-ins.ts";

test("parameters are renamed in place, with their descriptions and the list of required ones", () => {
  expect(translateSchema(fileRead.inputSchema, { params: { path: { name: "file_path" } } })).toEqual({
    type: "object",
    properties: {
      file_path: { type: "string", format: "path", description: "Path of the file" },
      offset: { type: "integer", minimum: 1, default: 1, description: "First line" },
      limit: { type: "integer", minimum: 1, default: 2000, description: "How many lines" },
    },
    required: ["file_path"],
    additionalProperties: false,
  });
});

test("the order of the parameters stays", () => {
  const { properties } = translateSchema(fileRead.inputSchema, { params: { path: { name: "zebra" } } });
  expect(Object.keys(properties!)).toEqual(["zebra", "offset", "limit"]);
});

test("counting from 0 moves the minimum and the default", () => {
  const { properties } = translateSchema(fileRead.inputSchema, { params: { offset: { countsFrom: 0 } } });
  expect(properties!.offset).toEqual({ type: "integer", minimum: 0, default: 0, description: "First line" });
});

test("a unit converts the default, the range and the choices, and a whole number keeps a whole range", () => {
  const { properties } = translateSchema(webFetch.inputSchema, {
    params: {
      timeoutMs: { name: "timeout", unit: "seconds" },
      waitMs: { name: "wait", unit: "seconds" },
    },
  });
  expect(properties!.timeout).toEqual({
    type: "integer",
    minimum: 1,
    maximum: 120,
    default: 30,
    description: "Time limit",
  });
  expect(properties!.wait).toEqual({ type: "number", minimum: 0, default: 1.5, enum: [0, 1.5, 1.001] });
});

test("a dialect's default replaces the tool's and makes a required parameter optional", () => {
  const schema = translateSchema(fileRead.inputSchema, {
    params: { limit: { default: 250 }, path: { default: "/" } },
  });
  expect(schema.properties!.limit).toMatchObject({ default: 250 });
  expect(schema.properties!.path).toMatchObject({ default: "/" });
  expect(schema.required).toBeUndefined();
});

test("a default that is taken away makes the parameter required", () => {
  const schema = translateSchema(fileRead.inputSchema, {
    params: { limit: { name: "count", default: null } },
  });
  expect(schema.properties!.count).not.toHaveProperty("default");
  expect(schema.required).toEqual(["path", "count"]);
});

test("a hidden parameter is not shown", () => {
  const { properties } = translateSchema(webFetch.inputSchema, { params: { debug: null } });
  expect(Object.keys(properties!)).toEqual(["url", "timeoutMs", "waitMs"]);
});

test("the schema inside a parameter stays as it is", () => {
  const edits = {
    type: "array",
    items: { type: "object", properties: { path: { type: "string" } } },
  } as const;
  const schema = { type: "object", properties: { path: { type: "string" }, edits } } as const;
  const { properties } = translateSchema(schema, {
    params: { path: { name: "file_path" }, edits: { name: "changes" } },
  });
  expect(properties).toEqual({ file_path: { type: "string" }, changes: edits });
});

test("the tool's own schema is left alone", () => {
  const before = structuredClone(fileRead.inputSchema);
  translateSchema(fileRead.inputSchema, {
    params: {
      path: { name: "file_path", description: "x" },
      limit: { default: null },
    },
  });
  expect(fileRead.inputSchema).toEqual(before);
});
