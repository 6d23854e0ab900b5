import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { checkServerName } from "./server-names.ts";
import { checkServerOptions, knownKeys, type McpServerOptions } from "./server-options.ts";

/**
 * The servers of an existing `.mcp.json`, or of another program's file with `mcpServers` or `servers` in it, for the option
 * `mcpServers`. What the file says besides is left aside.
 */
export async function readMcpServers(file: string): Promise<Record<string, McpServerOptions>> {
  const { servers, problems } = await readServerFile(file);
  const [problem] = problems;
  if (problem !== undefined) throw new TypeError(`${file}: ${problem.message}`);
  return Object.fromEntries(servers);
}

/** Those that can be used, and why the others cannot. */
export interface ServerList {
  readonly servers: ReadonlyMap<string, McpServerOptions>;
  readonly problems: readonly { readonly subject: string; readonly message: string }[];
}

async function readServerFile(file: string): Promise<ServerList> {
  return takeServers(await readJson(file), file);
}

/** The servers of the workspace's own file, and of those that it says to import. */
export async function readProjectFile(file: string): Promise<ServerList> {
  const content = await readJson(file);
  const { import: imported = [] } = content;
  if (!Array.isArray(imported) || !imported.every((each) => typeof each === "string")) {
    throw new TypeError(`${file}: import must be a list of files`);
  }
  const own = serversIn(content) === undefined ? noServers : takeServers(content, file);
  // The paths are as seen from the workspace, where the files of other programs lie.
  const workspace = dirname(dirname(file));
  const files = await Promise.all(imported.map((each: string) => tryServerFile(resolve(workspace, each))));
  const lists = [...files, own];
  return {
    servers: new Map(lists.flatMap(({ servers }) => [...servers])),
    problems: lists.flatMap(({ problems }) => problems),
  };
}

const noServers: ServerList = { servers: new Map(), problems: [] };

/** A file that cannot be taken in is no reason to do without the others. */
async function tryServerFile(file: string): Promise<ServerList> {
  try {
    return await readServerFile(file);
  } catch (error) {
    return { ...noServers, problems: [{ subject: file, message: messageOf(error) }] };
  }
}

const maxFileBytes = 1024 * 1024;

async function readJson(file: string): Promise<Record<string, unknown>> {
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "ENOENT" ? new TypeError(`${file}: there is no such file`, { cause }) : cause;
  });
  if (!found.isFile() || found.size > maxFileBytes)
    throw new TypeError(`${file} is no file that could be a list of servers`);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new TypeError(`${file} is not JSON: ${oneLine(cause.message, maxShownCharacters)}`, { cause });
  }
  if (!isPlainObject(content)) throw new TypeError(`${file} must hold an object`);
  return content;
}

const maxShownCharacters = 200;

/** VS Code writes `servers`. */
function serversIn({ mcpServers, servers }: Record<string, unknown>): unknown {
  return mcpServers ?? servers;
}

function takeServers(content: Record<string, unknown>, file: string): ServerList {
  const listed = serversIn(content);
  if (!isPlainObject(listed)) throw new TypeError(`${file}: mcpServers must be an object of servers by name`);
  const servers = new Map<string, McpServerOptions>();
  const problems: { subject: string; message: string }[] = [];
  for (const [name, entry] of Object.entries(listed)) {
    try {
      checkServerName(name);
      const options = isPlainObject(entry) ? takeKnown(entry) : entry;
      checkServerOptions(name, options);
      servers.set(name, options);
    } catch (error) {
      problems.push({ subject: oneLine(name, maxShownCharacters), message: messageOf(error) });
    }
  }
  return { servers, problems };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Other programs keep more in their files, and call some things differently. */
function takeKnown({ disabled, ...entry }: Record<string, unknown>): Record<string, unknown> {
  const known = Object.fromEntries(Object.entries(entry).filter(([key]) => knownKeys.has(key)));
  if (known.type === "streamable-http" || known.type === "streamableHttp") known.type = "http";
  if (disabled === true) known.enabled = false;
  return known;
}
