import { executeTool, safeParseJSON } from "@ai-sdk/provider-utils";
import { tool } from "ai";
import { checkEcho, echo, echoDescription, echoInput, echoSchema } from "./echo.mjs";

export const aiSdkEcho = tool({ description: echoDescription, inputSchema: echoSchema, execute: echo });

/** The AI SDK at function level: `execute` alone, and with the parsing and running that its loop adds. */
export async function openAiSdk() {
  const text = JSON.stringify(echoInput);
  const options = { toolCallId: "call-1", messages: [] };
  return [
    {
      name: "AI SDK, tool.execute",
      call: async () => checkEcho(await aiSdkEcho.execute(echoInput, options)),
    },
    {
      name: "AI SDK, parse and executeTool",
      call: async () => {
        const { value: input } = await safeParseJSON({ text, schema: echoSchema });
        for await (const { output } of executeTool({ tool: aiSdkEcho, input, options })) checkEcho(output);
      },
    },
  ];
}
