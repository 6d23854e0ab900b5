// The SDK's own server, with nothing between it and the tool: `node bare-server.mjs stdio|http [how many tools]`.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { echo, echoDescription, echoSchema } from "../call/echo.mjs";
import { createZodSchema, describeTool, lookUp, toolNames } from "../catalogue/catalogue-tools.mjs";

const [way, toolCount = "0"] = process.argv.slice(2);

function createBareServer() {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  server.registerTool("echo", { description: echoDescription, inputSchema: echoSchema }, async (input) => ({
    content: [{ type: "text", text: await echo(input) }],
  }));
  for (const name of toolNames.slice(0, Number(toolCount))) {
    const config = { description: describeTool(name), inputSchema: createZodSchema() };
    server.registerTool(name, config, async (input) => ({
      content: [{ type: "text", text: await lookUp(input) }],
    }));
  }
  return server;
}

if (way === "stdio") serveStdio(createBareServer);
else serveHttp();

function serveHttp() {
  const handler = createMcpHandler(createBareServer);
  const server = createServer(async (incoming, outgoing) => {
    const headers = new Headers(incoming.headers);
    const hasBody = incoming.method === "POST";
    const body = hasBody ? { body: Readable.toWeb(incoming), duplex: "half" } : {};
    const request = new Request(`http://localhost${incoming.url}`, {
      method: incoming.method,
      headers,
      ...body,
    });
    const response = await handler.fetch(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    else Readable.fromWeb(response.body).pipe(outgoing);
  });
  server.listen(0, "127.0.0.1", () => {
    console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp`, token: "none" }));
  });
}
