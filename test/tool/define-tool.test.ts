import { describe, expect, test } from "vitest";
import { z } from "zod";
import { declareTool } from "../../src/tool/define-tool.ts";
import { defineTool, defineTools, SchemaError } from "../../src/tool/index.ts";

const run = () => "done";
const description = "Does something.";
const params = { a: { type: "string" } } as const;

describe("a definition that could not work is refused when it is made", () => {
  const cases: [string, object, RegExp][] = [
    ["no name", { description, params, run }, /a tool's name must be 1 to 64 letters.*received undefined/],
    ["a name with spaces", { name: "my tool", description, params, run }, /received "my tool"/],
    ["a name from the prototype", { name: "__proto__", description, params, run }, /starting with a letter/],
    ["a long name", { name: "a".repeat(65), description, params, run }, /1 to 64/],
    ["a bad alias", { name: "t", aliases: ["a b"], description, params, run }, /an alias of t must be/],
    ["no description", { name: "t", params, run }, /t: the description must be a non-empty string/],
    ["an empty description", { name: "t", description: " ", params, run }, /non-empty/],
    ["no run", { name: "t", description, params }, /t: run must be a function/],
    [
      "an undo that is no function",
      { name: "t", description, params, run, undo: true },
      /t: undo must be a function/,
    ],
    [
      "a misspelt trait",
      { name: "t", description, params, run, traits: { readonly: true } },
      /t: traits.readonly is not an option; did you mean traits.readOnly\?/,
    ],
    [
      "a trait that is no yes or no",
      { name: "t", description, params, run, traits: { readOnly: "yes" } },
      /readOnly must be true or false/,
    ],
    [
      "a deadline of nothing",
      { name: "t", description, params, run, traits: { timeoutMs: 0 } },
      /timeoutMs must be a number greater than 0/,
    ],
    ["no input", { name: "t", description, run }, /t: input is missing/],
    [
      "input and params",
      { name: "t", description, input: { type: "object" }, params, run },
      /t: give either input or params/,
    ],
    [
      "an input that is text",
      { name: "t", description, input: "string", run },
      /input must be a JSON Schema object or a Standard Schema/,
    ],
    [
      "an input that is no object",
      { name: "t", description, input: { type: "string" }, run },
      /t: the input must be an object with named parameters/,
    ],
    [
      "an input schema with an error",
      { name: "t", description, input: { type: "object", properties: { a: { type: "text" } } }, run },
      /t: #\/properties\/a\/type: "text" is not a JSON type/,
    ],
    [
      "an output schema with an error",
      { name: "t", description, params, output: { pattern: "(" }, run },
      /t: #\/pattern: Invalid/,
    ],
  ];
  test.each(cases)("%s", (_what, definition, message) => {
    expect(() => defineTool(definition as never)).toThrow(message);
  });
});

test("defaults are filled in and everything written is carried along", () => {
  const tool = defineTool({
    name: "note_add",
    description: (session) => `In ${session.workspace}.`,
    params,
    aliases: ["add-note"],
    searchHint: "remember",
    prompt: "A manual.",
    maxOutputCharacters: 10,
    traits: { idempotent: true, timeoutMs: ({ a }) => a.length },
    permission: ({ a }) => ({ action: "write", target: a }),
    run: ({ a }) => a,
    toText: (output) => output,
  });
  expect(tool).toMatchObject({
    name: "note_add",
    aliases: ["add-note"],
    searchHint: "remember",
    prompt: "A manual.",
    maxOutputCharacters: 10,
  });
  expect(tool.traits).toMatchObject({
    readOnly: false,
    destructive: false,
    idempotent: true,
    openWorld: false,
    concurrencySafe: false,
  });
  expect(tool.permission?.({ a: "x" })).toEqual({ action: "write", target: "x" });
  expect(tool).not.toHaveProperty("params");
});

test("a tool tells whether its calls can be undone, previewed, both or neither, or need no undo", () => {
  const undo = () => {};
  const dryRun = () => "would";
  const base = { name: "t", description, params, run };
  const told = (more: object) => {
    const { safety, safetyLevel } = defineTool({ ...base, ...more });
    return [safety, safetyLevel];
  };
  expect(told({})).toEqual(["none", 0]);
  expect(told({ dryRun })).toEqual(["preview", 0]);
  expect(told({ undo })).toEqual(["undo", 1]);
  expect(told({ undo, dryRun })).toEqual(["preview-and-undo", 2]);
  expect(told({ traits: { changesFilesOnly: true } })).toEqual(["preview-and-undo", 2]);
  expect(told({ traits: { readOnly: true } })).toEqual(["changes-nothing", 0]);
});

test("an instance of a class is a definition too, and its methods keep their instance", async () => {
  class SendEmail {
    readonly name = "send_email";
    readonly description = "Sends an email.";
    readonly params = { to: { type: "string" } } as const;
    readonly sender = "me";
    run({ to }: { to: string }) {
      return `${this.sender} to ${to}`;
    }
  }
  const tool = defineTool(new SendEmail());
  expect(await tool.run({ to: "you" }, {} as never)).toBe("me to you");
});

test("an output schema checks what run returned", async () => {
  const tool = defineTool({
    name: "t",
    description,
    params,
    output: z.object({ n: z.number() }),
    run: () => ({ n: 1 }),
  });
  expect(tool.outputSchema).toMatchObject({ type: "object", required: ["n"] });
  expect(await tool.validateOutput?.({ n: "x" })).toMatchObject({ ok: false });
  expect(await tool.validateOutput?.({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
});

describe("several tools at once", () => {
  test("may be written out or defined before", () => {
    const first = defineTool({ name: "first", description, params, run });
    const tools = defineTools([first, { name: "second", description, params, run }]);
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.type])).toEqual([
      ["first", "object"],
      ["second", "object"],
    ]);
    expect(tools[0]).toBe(first);
  });
  test("may not share a name", () => {
    const tool = defineTool({ name: "same", description, params, run });
    expect(() => defineTools([tool, tool])).toThrow("same is defined twice");
  });
});

test("schema errors can be told from others", () => {
  expect(() => defineTool({ name: "t", description, input: { type: "object", pattern: "(" }, run })).toThrow(
    SchemaError,
  );
});

describe("a tool that is declared", () => {
  test("is the same as one that is defined", async () => {
    const definition = { name: "t", description, params, run } as const;
    const { validateInput: _, ...declared } = declareTool(definition);
    const { validateInput: __, ...defined } = defineTool(definition);
    expect(declared).toEqual(defined);
    expect(declareTool(definition).validateInput({ a: "x" })).toEqual({ ok: true, value: { a: "x" } });
    expect(declareTool(definition).validateInput({ a: 1 })).toMatchObject({ ok: false });
  });

  test("has its schema compiled once, when it is first needed", () => {
    let looks = 0;
    const counted = {
      get a() {
        looks++;
        return params.a;
      },
    };
    const tool = declareTool({ name: "t", description, params: counted, run });
    expect(looks).toBe(0);
    expect(tool.inputSchema).toBe(tool.inputSchema);
    const looksOfOne = looks;
    tool.validateInput({ a: "x" });
    expect(looks).toBe(looksOfOne);
  });

  test("is refused for its schema by name, each time it is needed", () => {
    const tool = declareTool({ name: "t", description, input: { type: "string" }, run });
    expect(() => tool.inputSchema).toThrow(/^t: the input must be an object/);
    expect(() => tool.validateInput({})).toThrow(SchemaError);
  });

  test("is refused at once for anything else", () => {
    expect(() => declareTool({ name: "my tool", description, params, run })).toThrow(/received "my tool"/);
  });
});
