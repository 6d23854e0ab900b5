import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { McpServerOptions, StdioServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import { freePort } from "../../support/free-port.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

const require = createRequire(import.meta.url);

/** The reference server of all that the protocol has, as its authors publish it. */
const everythingFile = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");

/** The reference server for files, of which it is told the folders that it may touch. */
export const filesystemFile = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

export const ways = ["stdio", "streamable HTTP", "legacy SSE"] as const;

export interface Everything {
  readonly options: McpServerOptions;
  /** As the kernel does it when memory runs out. */
  kill(): Promise<void>;
  /** For one that nobody else starts again. */
  startAgain(): Promise<void>;
}

/** How server-everything is reached in one of its ways; gone when the test ends. */
export function startEverything(way: (typeof ways)[number]): Promise<Everything> {
  if (way === "stdio") return underSupervision();
  return way === "legacy SSE"
    ? listening({ mode: "sse", path: "/sse", type: "sse" })
    : listening({ mode: "streamableHttp", path: "/mcp", type: "http" });
}

/** Started by us, in a way that tells its number. */
async function underSupervision(): Promise<Everything> {
  const file = join(await temporaryFolder(), "pid");
  const script = `echo $$ > "$0"; exec "$@"`;
  const options: StdioServerOptions = {
    command: "sh",
    args: ["-c", script, file, process.execPath, everythingFile],
  };
  const kill = async () => void process.kill(Number(await readFile(file, "utf8")), "SIGKILL");
  return { options, kill, startAgain: async () => {} };
}

async function listening({
  mode,
  path,
  type,
}: {
  mode: string;
  path: string;
  type: "http" | "sse";
}): Promise<Everything> {
  const port = await freePort();
  let child = await start(mode, port);
  return {
    options: { type, url: `http://127.0.0.1:${port}${path}` },
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    async startAgain() {
      child = await start(mode, port);
    },
  };
}

async function start(mode: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everythingFile, mode], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`it ended with ${code}`)));
  await Promise.race([untilItListens(child), ended]);
  return child;
}

/** It goes on writing afterwards, and would end if nobody read it. */
function untilItListens({ stderr }: ChildProcess): Promise<void> {
  let said = "";
  return new Promise((resolve) => {
    stderr?.on("data", (chunk) => {
      said += chunk;
      if (/on port \d+/.test(said)) resolve();
    });
  });
}
