import type { Client, ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { type AnyTool, defineTool } from "../../../src/index.ts";
import type { FormField } from "../../../src/tool/forms/form-fields.ts";
import { connectClient, serveForTest } from "./serve-for-test.ts";

const register = defineTool({
  name: "register",
  description: "Asks for all of it at once",
  params: {},
  traits: { readOnly: true },
  async run(_input, { ask }) {
    const { name, age, colour, sizes } = await ask({
      text: "Who are you?",
      fields: {
        name: { type: "string", title: "Name", minLength: 1 },
        age: { type: "integer", minimum: 0, default: 30 },
        colour: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
        sizes: { type: "array", items: { type: "string", enum: ["s", "m"] }, required: false },
      },
    });
    return `${name}, ${age + 1}, ${colour}, ${sizes?.join("+") ?? "any"}`;
  },
});

test.each(["2026-07-28", "2025-11-25"])(
  "a form is put as one form and comes back typed, by %s",
  async (protocol) => {
    const { client, asked } = await connect(
      [accept({ name: "Ada", age: 40, colour: "r", sizes: ["s", "m"] })],
      protocol,
    );
    expect(await client.callTool({ name: "register" })).toMatchObject({
      content: [{ type: "text", text: "Ada, 41, r, s+m" }],
    });
    expect(asked).toMatchObject([
      {
        message: "A tool asks: Who are you?",
        requestedSchema: {
          type: "object",
          properties: {
            name: { type: "string", title: "Name", minLength: 1 },
            age: { type: "integer", minimum: 0, default: 30 },
            colour: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
            sizes: { type: "array", items: { type: "string", enum: ["s", "m"] } },
          },
          required: ["name", "colour"],
        },
      },
    ]);
  },
);

test("a field that is left out has its default, and one that does not fit is asked for again with its problem", async () => {
  const answers = [{ name: "", colour: "r" }, { name: "Ada" }, { name: "Ada", colour: "r", more: 1 }];
  const { client, asked } = await connect([...answers.map(accept), accept({ name: "Ada", colour: "r" })]);
  expect(await client.callTool({ name: "register" })).toMatchObject({
    content: [{ type: "text", text: "Ada, 31, r, any" }],
  });
  expect(asked.map(({ message }) => message)).toEqual([
    "A tool asks: Who are you?",
    expect.stringMatching(/^A tool asks: Who are you\?\n\nname must /),
    expect.stringMatching(/^A tool asks: Who are you\?\n\ncolour /),
    expect.stringMatching(/^A tool asks: Who are you\?\n\nmore /),
  ]);
});

test.each([
  ["decline", "declined"],
  ["cancel", "nobody-to-ask"],
] as const)("a form with %s is %s for the tool", async (action, code) => {
  const { client } = await connect([{ action }]);
  expect(await client.callTool({ name: "register" })).toMatchObject({
    isError: true,
    _meta: { "toolwright/error": { code } },
  });
});

test("a client by an older protocol gets titles in the way it knows, and no form that it cannot put", async () => {
  const choose = (what: FormField) =>
    defineTool({
      name: "choose",
      description: "Asks for a choice",
      params: {},
      traits: { readOnly: true },
      run: (_input, { ask }) => ask({ text: "Which?", fields: { it: what } }),
    });
  const titled = [{ const: "r", title: "Red" }];
  const one = await connect([accept({ it: "r" })], "2025-06-18", choose({ type: "string", oneOf: titled }));
  expect(await one.client.callTool({ name: "choose" })).toMatchObject({ content: [{ text: '{"it":"r"}' }] });
  expect(one.asked[0]?.requestedSchema.properties).toEqual({
    it: { type: "string", enum: ["r"], enumNames: ["Red"] },
  });
  const several = await connect([], "2025-06-18", choose({ type: "array", items: { anyOf: titled } }));
  expect(await several.client.callTool({ name: "choose" })).toMatchObject({
    isError: true,
    _meta: { "toolwright/error": { code: "nobody-to-ask" } },
  });
  expect(several.asked).toEqual([]);
});

async function connect(
  answers: readonly ElicitResult[],
  protocol = "2026-07-28",
  tool: AnyTool = register,
): Promise<{ client: Client; asked: ElicitRequestFormParams[] }> {
  const server = await serveForTest({ options: { tools: [tool] } });
  const client = await connectClient(server, { protocol, capabilities: { elicitation: { form: {} } } });
  const asked: ElicitRequestFormParams[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params as ElicitRequestFormParams);
    return answers[asked.length - 1] ?? { action: "cancel" };
  });
  return { client, asked };
}

function accept(content: NonNullable<ElicitResult["content"]>): ElicitResult {
  return { action: "accept", content };
}
