import { expect } from "vitest";
import { type FormatName, formats } from "../../../src/formats/formats.ts";
import { dialects } from "../../../src/kernel/dialects/dialects.ts";
import { connectClient, serveForTest } from "../../faces/mcp-server/serve-for-test.ts";
import { needs } from "../../support/needs.ts";

const sayWord = {
  name: "say_word",
  description: "Say a word.",
  input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  language: "shell",
  code: 'echo -n "$input_word"',
  examples: [{ input: { word: "a" }, output: "a" }],
} as const;

const word = "hi there";
const toolCall = { id: "call_1", name: sayWord.name, input: { word } };

/** A call of the tool as the models of each vendor make it; the formats without one are called through their own objects. */
const messages: Readonly<Partial<Record<FormatName, object>>> = {
  openai: {
    role: "assistant",
    content: null,
    tool_calls: [
      {
        id: "call_1",
        type: "function",
        function: { name: toolCall.name, arguments: JSON.stringify({ word }) },
      },
    ],
  },
  "openai-responses": {
    id: "resp_1",
    output: [
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: toolCall.name,
        arguments: JSON.stringify({ word }),
      },
    ],
  },
  anthropic: { role: "assistant", stop_reason: "tool_use", content: [{ type: "tool_use", ...toolCall }] },
  gemini: {
    role: "model",
    parts: [{ functionCall: { id: "call_1", name: toolCall.name, args: { word } } }],
  },
};

const testInside = await needs("bubblewrap");

testInside(
  "a made tool is searched for, offered and called in every dialect, in every format, and over MCP",
  async () => {
    const served = await serveForTest({ options: { onApproval: () => "allow" } });
    const { runtime } = served;
    const maker = await runtime.openSession({ dialect: "canonical" });
    expect(await maker.call("tool_create", sayWord)).toMatchObject({ data: { status: "active" } });

    const formatNames = Object.keys(formats) as FormatName[];
    for (const [index, { name: dialect }] of dialects.entries()) {
      const session = await runtime.openSession({ dialect });
      expect(session.isDeferred(sayWord.name), dialect).toBe(true);
      expect(await session.searchTools("say a word")).toContainEqual(
        expect.objectContaining({ name: sayWord.name }),
      );
      session.activateTool(sayWord.name);
      for (const format of formatNames) {
        const rendered = JSON.stringify(session.activeTools({ format, only: [sayWord.name] }));
        expect(rendered.includes("Made by code toolwright for this project"), `${dialect} as ${format}`).toBe(
          true,
        );
      }
      // Each format is called in some dialect, and each dialect by some format.
      const format = formatNames[index % formatNames.length]!;
      const message = messages[format];
      const answer =
        message !== undefined
          ? await session.handle(message)
          : format === "ai-sdk"
            ? await session.activeTools({ format, only: [sayWord.name] })[sayWord.name]!.execute!(
                { word },
                { toolCallId: "call_1" },
              )
            : await session.call(sayWord.name, { word });
      expect(JSON.stringify(answer), `${dialect} as ${format}`).toContain(word);
      await session.close();
    }

    const client = await connectClient(served);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain(sayWord.name);
    const result = await client.callTool({ name: sayWord.name, arguments: { word } });
    expect(result.content).toMatchObject([{ type: "text", text: word }]);
  },
);
