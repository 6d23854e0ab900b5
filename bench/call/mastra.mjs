import { importPeer } from "../support/import-peer.mjs";
import { checkEcho, echo, echoDescription, echoInput, echoSchema } from "./echo.mjs";

export async function openMastra({ leaveOut }) {
  const mastra = await importPeer("@mastra/core/tools", leaveOut);
  if (mastra === undefined) return [];
  const echoTool = mastra.createTool({
    id: "echo",
    description: echoDescription,
    inputSchema: echoSchema,
    execute: echo,
  });
  return [
    { name: "Mastra, tool.execute", call: async () => checkEcho(await echoTool.execute(echoInput, {})) },
  ];
}
