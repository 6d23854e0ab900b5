import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { checkServerName } from "./server-names.ts";
import { checkServerOptions, knownKeys, type McpServerOptions } from "./server-options.ts";

/**
 * The servers of an existing `.mcp.json`, or of another program's file with `mcpServers` in it, for the option
 * `mcpServers`. What the file says besides is left aside.
 */
export async function readMcpServers(file: string): Promise<Record<string, McpServerOptions>> {
  return Object.fromEntries(await readServerFile(file));
}

async function readServerFile(file: string): Promise<ReadonlyMap<string, McpServerOptions>> {
  return takeServers(await readJson(file), file);
}

/** The servers of the workspace's own file, and of those that it says to import. */
export async function readProjectFile(file: string): Promise<ReadonlyMap<string, McpServerOptions>> {
  const content = await readJson(file);
  const { import: imported = [] } = content;
  if (!Array.isArray(imported) || !imported.every((each) => typeof each === "string")) {
    throw new TypeError(`${file}: import must be a list of files`);
  }
  const own = content.mcpServers === undefined ? new Map() : takeServers(content, file);
  // The paths are as seen from the workspace, where the files of other programs lie.
  const workspace = dirname(dirname(file));
  const files = await Promise.all(imported.map((each: string) => readServerFile(resolve(workspace, each))));
  return new Map([...files.flatMap((servers) => [...servers]), ...own]);
}

const maxFileBytes = 1024 * 1024;

async function readJson(file: string): Promise<Record<string, unknown>> {
  const found = await stat(file);
  if (!found.isFile() || found.size > maxFileBytes)
    throw new TypeError(`${file} is no file that could be a list of servers`);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new TypeError(`${file} is not JSON: ${cause.message}`, { cause });
  }
  if (!isPlainObject(content)) throw new TypeError(`${file} must hold an object`);
  return content;
}

function takeServers(content: Record<string, unknown>, file: string): Map<string, McpServerOptions> {
  const { mcpServers } = content;
  if (!isPlainObject(mcpServers))
    throw new TypeError(`${file}: mcpServers must be an object of servers by name`);
  return new Map(
    Object.entries(mcpServers).map(([name, entry]) => {
      checkServerName(name);
      const options = isPlainObject(entry) ? takeKnown(entry) : entry;
      checkServerOptions(name, options);
      return [name, options];
    }),
  );
}

/** Other programs keep more in their files, and call some things differently. */
function takeKnown({ disabled, ...entry }: Record<string, unknown>): Record<string, unknown> {
  const known = Object.fromEntries(Object.entries(entry).filter(([key]) => knownKeys.has(key)));
  if (known.type === "streamable-http" || known.type === "streamableHttp") known.type = "http";
  if (disabled === true) known.enabled = false;
  return known;
}
