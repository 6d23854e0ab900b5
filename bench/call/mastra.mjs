import { createTool } from "@mastra/core/tools";
import { checkEcho, echo, echoDescription, echoInput, echoSchema } from "./echo.mjs";

export async function openMastra() {
  const echoTool = createTool({
    id: "echo",
    description: echoDescription,
    inputSchema: echoSchema,
    execute: echo,
  });
  return [
    { name: "Mastra, tool.execute", call: async () => checkEcho(await echoTool.execute(echoInput, {})) },
  ];
}
