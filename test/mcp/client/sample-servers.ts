import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StdioServerOptions } from "../../../src/mcp/client/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

export interface Definition {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations?: object;
}

/** A tool that takes anything, as a server may describe it. */
export function define(name: string, more: Partial<Definition> = {}): Definition {
  return { name, description: `The tool ${name}`, inputSchema: { type: "object" }, ...more };
}

/** How to start a real server with these tools. */
export async function sampleServer(definitions: readonly Definition[] | string): Promise<{
  options: StdioServerOptions;
  list: (definitions: readonly Definition[]) => Promise<void>;
}> {
  const file = join(await temporaryFolder(), "definitions.json");
  const list = (listed: readonly Definition[] | string) =>
    writeFile(file, typeof listed === "string" ? listed : JSON.stringify(listed));
  await list(definitions);
  const program = fileURLToPath(new URL("fixtures/sample-server.ts", import.meta.url));
  return { options: { command: process.execPath, args: [program, file] }, list };
}

export function rawServer(manner: string): StdioServerOptions {
  const program = fileURLToPath(new URL("fixtures/raw-server.ts", import.meta.url));
  return { command: process.execPath, args: [program, manner] };
}

/** A server of the protocol's own authors, with one of everything. */
export const everythingServer: StdioServerOptions = {
  command: process.execPath,
  args: [
    fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js")),
    "stdio",
  ],
};
