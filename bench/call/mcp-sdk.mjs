import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { checkEcho, echo, echoDescription, echoInput, echoSchema } from "./echo.mjs";

/** The MCP SDK with client and server in one process. */
export async function openMcpSdk() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("echo", { description: echoDescription, inputSchema: echoSchema }, async (input) => ({
    content: [{ type: "text", text: await echo(input) }],
  }));
  const client = await connect(server);
  return [
    {
      name: "MCP SDK, in memory",
      close: () => client.close(),
      call: async () => {
        const { content } = await client.callTool({ name: "echo", arguments: echoInput });
        checkEcho(content[0].text);
      },
    },
  ];
}

/** A client connected to the server by an in-memory transport. */
export async function connect(server) {
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  await client.connect(clientSide);
  return client;
}
