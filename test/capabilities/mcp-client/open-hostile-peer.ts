import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { McpServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import { casesOf } from "../../support/fuzz.ts";
import { openWithServers } from "./open-with-servers.ts";

/** A session with an MCP server that does whatever `manner` says. */
export async function openHostilePeer(transport: string) {
  const { runtime, session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { hostile: await startHostileServer(transport) },
  });
  const status = () => runtime.mcp.servers()[0];
  const call = (manner: string) => session.call("mcp__hostile__ask", { manner }, { timeoutMs: 20_000 });
  return { session, status, call };
}

export async function startHostileServer(transport: string): Promise<McpServerOptions> {
  const args = [program, transport];
  if (transport === "stdio") return { command: process.execPath, args };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${Number(line)}/mcp`, type: "http" };
}

const program = fileURLToPath(new URL("fixtures/hostile-server.ts", import.meta.url));

/** Over which transport, and with what. */
export const floods = casesOf({
  sample: [
    ["stdio", "questions"],
    ["http", "pings"],
  ],
  full: ["stdio", "http"].flatMap((transport) =>
    ["pings", "questions", "nonsense"].map((manner) => [transport, manner]),
  ),
});
