/** What the official conformance suite starts as a client: a runtime that connects to the server it is told of. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { HttpServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import type { Session } from "../../../src/index.ts";
import { inputsFor, type ToolCall } from "./client-inputs.ts";

const url = process.argv.at(-1) ?? "";
const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: contextText = "{}" } = process.env;
const context = JSON.parse(contextText) as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly issuer?: string;
  readonly toolCalls?: readonly ToolCall[];
};

// A server is connected to again a few times in that time.
const maxRefusals = 60;
const maxMs = 90_000;

const leave = await takeTurn();
setTimeout(() => process.exit(1), maxMs).unref();
// As it is built: the suite starts dozens of these, and each would compile the sources for itself.
const built = new URL("../../../dist/index.js", import.meta.url).href;
const { openRuntime } = (await import(built)) as typeof import("../../../src/index.ts");
const prefix = "mcp__server__";
const workspace = await mkdtemp(join(tmpdir(), "toolwright-conformance-client-"));
const runtime = await openRuntime({
  workspace,
  store: "memory:",
  permissions: { mode: "auto", allow: ["@network", "@execute"] },
  // In the place of a person who confirms what is proposed.
  onQuestion: async () => ({}),
  mcpServers: { server: { url, type: "http", ...accessFor(scenario) } },
});
try {
  for (let refusals = 0; refusals < maxRefusals && status() !== "running"; await wait(100)) {
    if (status() !== "unavailable") continue;
    refusals += 1;
    // From here on it waits more than it works.
    leave();
  }
  await callAll(await runtime.openSession());
} finally {
  await runtime.close();
  leave();
  await rm(workspace, { recursive: true, force: true });
}

/** Where many were started at once, waits until few enough are at work. */
async function takeTurn(): Promise<() => void> {
  const { CONFORMANCE_TURNSTILE: port } = process.env;
  if (port === undefined) return () => {};
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "data");
  return () => void socket.end();
}

/** A person's sign-in goes on while the runtime is open already. */
function status(): string {
  const [server] = runtime.mcp.servers();
  const isSigningIn = server?.reason?.startsWith("sign-in required") ?? false;
  return isSigningIn ? "connecting" : (server?.status ?? "unavailable");
}

async function callAll(session: Session): Promise<void> {
  const offered = session
    .tools()
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, inputSchema }) => ({ name: name.slice(prefix.length), inputSchema }));
  for (const tool of offered) {
    for (const input of inputsFor(tool, { offered, toolCalls: context.toolCalls })) {
      await session.call(`${prefix}${tool.name}`, input);
    }
  }
}

/** In the place of the person: a browser that follows every redirect, and an authorization server that asks nothing. */
function accessFor(name: string): Partial<HttpServerOptions> {
  if (!name.startsWith("auth/")) return {};
  return {
    signIn: {
      clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
      ...(context.client_id !== undefined && { clientId: context.client_id }),
      ...(context.client_secret !== undefined && { clientSecret: context.client_secret }),
      ...(context.issuer !== undefined && { issuer: context.issuer }),
      open: (address) => void fetch(address).catch(() => {}),
    },
  };
}
