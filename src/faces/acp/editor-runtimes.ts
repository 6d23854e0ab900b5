import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk";
import type { McpServerOptions } from "../../capabilities/mcp-client/server-options.ts";
import type { Runtime } from "../../open-runtime.ts";

type McpServers = Readonly<Record<string, McpServerOptions>>;

export type OpenRuntimeIn = (cwd: string, servers: McpServers) => Promise<Runtime>;

export type EditorRuntimes = ReturnType<typeof createEditorRuntimes>;

/** The runtimes of an editor's projects: one for each folder, and for each list of MCP servers that it gives. */
export function createEditorRuntimes(openIn: OpenRuntimeIn) {
  const opened = new Map<string, Promise<Runtime>>();
  return {
    async open(cwd: string, given: readonly McpServer[] = []): Promise<Runtime> {
      if (!isAbsolute(cwd))
        throw new TypeError(`cwd must be an absolute path; received ${JSON.stringify(cwd)}`);
      const isFolder = (await stat(cwd).catch(() => undefined))?.isDirectory() ?? false;
      if (!isFolder) throw new TypeError(`${cwd} is not a folder`);
      const servers = toServers(given);
      const key = JSON.stringify([cwd, servers]);
      const known = opened.get(key);
      if (known !== undefined) return known;
      if (opened.size >= maxRuntimes) throw new Error(`${maxRuntimes} projects are open already`);
      const opening = openIn(cwd, servers);
      opened.set(key, opening);
      // The cause may be gone next time.
      opening.catch(() => opened.delete(key));
      return opening;
    },
    async close(): Promise<void> {
      const runtimes = await Promise.allSettled(opened.values());
      await Promise.all(runtimes.map((each) => each.status === "fulfilled" && each.value.close()));
    },
  };
}

const maxRuntimes = 32;

/** The editor's servers as options of a runtime. */
function toServers(given: readonly McpServer[]): McpServers {
  return Object.fromEntries(
    given.map((server): [string, McpServerOptions] => {
      if ("url" in server) {
        const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
        return [server.name, { type: server.type, url: server.url, headers }];
      }
      const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
      return [server.name, { command: server.command, args: server.args, env }];
    }),
  );
}
