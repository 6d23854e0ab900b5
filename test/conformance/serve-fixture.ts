/** Serves the tools that the official conformance suite expects, and prints the address. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openClientTokens } from "../../src/faces/mcp-server/http/client-tokens.ts";
import { serveHttp } from "../../src/faces/mcp-server/http/serve-http.ts";
import { defineTool, openRuntime } from "../../src/index.ts";
import { conformanceTools } from "./conformance-tools.ts";
import { formTools } from "./form-tools.ts";

const workspace = await mkdtemp(join(tmpdir(), "toolwright-conformance-"));
const runtime = await openRuntime({
  workspace,
  store: "memory:",
  tools: [...conformanceTools, ...formTools],
});
let changes = 0;
runtime.tools.register(
  defineTool({
    name: "test_trigger_tool_change",
    description: "Adds a tool",
    params: {},
    traits: { readOnly: true },
    run() {
      const name = `added_${++changes}`;
      runtime.tools.register(defineTool({ name, description: "Was added", params: {}, run: () => "added" }));
    },
  }),
);
const tokens = await openClientTokens(join(workspace, "clients"));
const token = await tokens.ensure("suite");

// The suite knows no tokens, so this adds one and passes on all else as it came, Host and Origin included.
const doorkeeper = createServer((incoming, outgoing) => {
  const { port } = serving;
  const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
  const onward = request({ port, path: incoming.url, method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    outgoing.flushHeaders();
    pipeline(answer, outgoing).catch(() => {});
  });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
}).listen(0, "127.0.0.1");
await once(doorkeeper, "listening");
const { port } = doorkeeper.address() as AddressInfo;
const names = ["localhost", "127.0.0.1", "[::1]"];
const allowedHosts = names.map((name) => `${name}:${port}`);
const serving = await serveHttp(runtime, { version: "0.0.0", tokens, allowedHosts, graceMs: 0 });
// There is a receipt to list and read from the first request on.
await (await runtime.openSession({ id: "mcp-suite" })).call("test_simple_text");
console.log(`http://localhost:${port}/mcp`);

process.stdin.resume();
await once(process.stdin, "end", { signal: AbortSignal.timeout(10 * 60_000) }).catch(() => {});
doorkeeper.close();
doorkeeper.closeAllConnections();
await serving.close();
await runtime.close();
await rm(workspace, { recursive: true, force: true });
process.exit(0);
