import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StdioServerOptions } from "../../../src/capabilities/mcp-client/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

const keepCompiled = new URL("../../support/keep-compiled.mjs", import.meta.url).href;

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
  // Most of its time it would spend on compiling the protocol's own package.
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "" };
  return {
    options: { command: process.execPath, args: ["--import", keepCompiled, program, file], env },
    list,
  };
}

export function rawServer(manner: string): StdioServerOptions {
  const program = fileURLToPath(new URL("fixtures/raw-server.ts", import.meta.url));
  return { command: process.execPath, args: [program, manner] };
}

/** A server with resources and prompts, in its own manner. */
export function catalogueServer(manner = ""): StdioServerOptions {
  const program = fileURLToPath(new URL("fixtures/catalogue-server.ts", import.meta.url));
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
