import { expect, test } from "vitest";
import { z } from "zod";
import type { FormatName } from "../../../src/capabilities/interop/index.ts";
import { createVendorNames } from "../../../src/formats/vendors/vendor-names.ts";
import { defineTool } from "../../../src/index.ts";
import { anyCharacter } from "../../formats/any-character.ts";
import { fc } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";

const echoSchema = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 1 },
    times: { type: "integer", minimum: 1, maximum: 5, default: 1 },
  },
  required: ["text"],
  additionalProperties: false,
};
const { description } = echo;

async function renderEcho(format: FormatName, strict = false): Promise<unknown> {
  const { session } = await openTestSession({ tools: [echo] });
  const rendered: unknown = session.tools({ format, strict });
  if (format === "gemini") {
    return (rendered as { functionDeclarations: { name: string }[] }[])[0]?.functionDeclarations.at(-1);
  }
  return (rendered as unknown[]).at(-1);
}

test("each format shows a tool as its vendor's API takes it", async () => {
  expect(await renderEcho("openai")).toEqual({
    type: "function",
    function: { name: "echo", description, parameters: echoSchema },
  });
  expect(await renderEcho("openai-responses")).toEqual({
    type: "function",
    name: "echo",
    description,
    parameters: echoSchema,
    strict: false,
  });
  expect(await renderEcho("anthropic")).toEqual({ name: "echo", description, input_schema: echoSchema });
  expect(await renderEcho("gemini")).toEqual({
    name: "echo",
    description,
    parameters: {
      type: "OBJECT",
      properties: {
        text: { type: "STRING", minLength: 1 },
        times: { type: "INTEGER", minimum: 1, maximum: 5, default: 1 },
      },
      required: ["text"],
    },
  });
  const plain = { name: "echo", description, inputSchema: echoSchema, annotations: { readOnlyHint: true } };
  expect(await renderEcho("json")).toMatchObject(plain);
  expect(await renderEcho("mcp")).toMatchObject(plain);
});

test("strict mode is OpenAI's alone and only when it is asked for", async () => {
  const parameters = {
    type: "object",
    properties: {
      text: { type: "string" },
      times: { type: ["integer", "null"], minimum: 1, maximum: 5, description: "null means 1" },
    },
    required: ["text", "times"],
    additionalProperties: false,
  };
  expect(await renderEcho("openai", true)).toMatchObject({ function: { parameters, strict: true } });
  expect(await renderEcho("openai-responses", true)).toMatchObject({ parameters, strict: true });
  expect(await renderEcho("anthropic", true)).toMatchObject({ input_schema: echoSchema });
});

test("without a format the catalogue is plain JSON Schema", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  expect(session.tools()).toEqual(session.tools({ format: "json" }));
  expect(session.tools({})).toEqual(session.tools());
});

test("an unknown format is refused with the nearest name", async () => {
  const { session } = await openTestSession();
  expect(() => session.tools({ format: "antropic" as never })).toThrow("did you mean anthropic?");
  expect(() => session.tools({ format: "toString" as never })).toThrow("the format must be one of");
  expect(() => session.tools({ format: 5 as never })).toThrow("received 5");
});

test("a tool that takes nothing has no parameters for Gemini, and a session without tools no tool", async () => {
  const { session, runtime } = await openTestSession();
  runtime.tools.register(defineTool({ name: "now", description: "The time.", params: {}, run: () => "" }));
  const [tool] = session.tools({ format: "gemini" });
  expect(tool?.functionDeclarations.at(-1)).toEqual({ name: "now", description: "The time." });
});

test("a tool that is registered later is in the next rendering, and a schema is adapted once", async () => {
  const { session, runtime } = await openTestSession();
  const count = session.tools({ format: "anthropic" }).length;
  const choice = z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]);
  runtime.tools.register(defineTool({ name: "later", description: "Later.", input: choice, run: () => "" }));
  const first = session.tools({ format: "anthropic" });
  expect(first).toHaveLength(count + 1);
  const schema = first.at(-1)?.input_schema;
  expect(schema).not.toHaveProperty("anyOf");
  expect(session.tools({ format: "anthropic" }).at(-1)?.input_schema).toBe(schema);
  expect(session.tools({ format: "openai" }).at(-1)?.function.parameters).toEqual(schema);
});

test("names that vendors refuse get stand-ins that lead back, whatever the names are", () => {
  const name = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.constantFrom("a", "a.b", "a_b", "1a", ""),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 10 }), (names) => {
      const { toVendor, fromVendor } = createVendorNames(names);
      const offered = names.map(toVendor);
      expect(new Set(offered).size).toBe(names.length);
      expect(offered.map(fromVendor)).toEqual(names);
      expect(offered.filter((each) => !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(each))).toEqual([]);
      expect(createVendorNames(names.toReversed()).toVendor(names[0] ?? "")).toBe(toVendor(names[0] ?? ""));
    }),
  );
});

test("a name that is fine stays, also beside a stand-in that would have taken it", () => {
  const standIn = createVendorNames(["file.read"]).toVendor("file.read");
  expect(standIn).toMatch(/^file_read_[0-9a-f]{8}$/);
  const { toVendor, fromVendor } = createVendorNames(["file.read", standIn]);
  expect(toVendor(standIn)).toBe(standIn);
  expect(fromVendor(standIn)).toBe(standIn);
  expect(fromVendor(toVendor("file.read"))).toBe("file.read");
});
