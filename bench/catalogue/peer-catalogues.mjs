import { McpServer } from "@modelcontextprotocol/server";
import { generateText, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { connect } from "../call/mcp-sdk.mjs";
import { timeOnce } from "../support/time-once.mjs";
import { createZodSchema, describeTool, lookUp } from "./catalogue-tools.mjs";

/** The catalogue as the AI SDK passes it to a model, once per step. */
export async function openAiSdkCatalogue(toolNames) {
  const { elapsedMs: defineMs, result: tools } = await timeOnce(() => defineAiSdkTools(toolNames));
  const render = async () => {
    let rendered;
    const model = new MockLanguageModelV4({
      doGenerate: async (options) => {
        checkCount(options.tools, toolNames);
        rendered = JSON.stringify(options.tools);
        return answer;
      },
    });
    await generateText({ model, tools, prompt: "go" });
    return rendered;
  };
  const { elapsedMs: firstRenderMs } = await timeOnce(render);
  return { defineMs, firstRenderMs, render };
}

function defineAiSdkTools(toolNames) {
  return Object.fromEntries(
    toolNames.map((name) => [
      name,
      tool({ description: describeTool(name), inputSchema: createZodSchema(), execute: lookUp }),
    ]),
  );
}

/** The catalogue as an MCP client gets it from a server in the same process. */
export async function openMcpSdkCatalogue(toolNames) {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  const { elapsedMs: defineMs } = await timeOnce(() => registerMcpTools(server, toolNames));
  const client = await connect(server);
  const render = async () => checkCount((await client.listTools()).tools, toolNames);
  const { elapsedMs: firstRenderMs } = await timeOnce(render);
  return { defineMs, firstRenderMs, render, close: () => client.close() };
}

function registerMcpTools(server, toolNames) {
  for (const name of toolNames) {
    const config = { description: describeTool(name), inputSchema: createZodSchema() };
    server.registerTool(name, config, async (input) => ({
      content: [{ type: "text", text: await lookUp(input) }],
    }));
  }
}

function checkCount({ length }, toolNames) {
  if (length !== toolNames.length) throw new Error(`rendered ${length} tools instead of ${toolNames.length}`);
}

const answer = {
  content: [{ type: "text", text: "done" }],
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};
