import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { findRepeatedKey } from "../../shared/options/find-repeated-key.ts";
import { foreign, knownKeys } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { checkServerOptions } from "./check-server-options.ts";
import { checkServerName } from "./server-names.ts";
import { type McpServerOptions, serverKeys } from "./server-options.ts";

/**
 * Reads the servers of an existing `.mcp.json`, or of another program's file with `mcpServers` or `servers`, for the
 * option `mcpServers`. Everything else in the file is ignored.
 */
export async function readMcpServers(file: string): Promise<Record<string, McpServerOptions>> {
  const { servers, problems } = await readServerFile(file);
  const [problem] = problems;
  if (problem !== undefined) throw new TypeError(`${file}: ${problem.message}`);
  return Object.fromEntries(servers);
}

/** The servers that can be used, and why others cannot. */
export interface ServerList {
  readonly servers: ReadonlyMap<string, McpServerOptions>;
  readonly problems: readonly { readonly subject: string; readonly message: string }[];
}

async function readServerFile(file: string): Promise<ServerList> {
  return takeServers(await readJson(file), file, takeKnown);
}

/** Reads the servers of the workspace's file and of the files that it imports. */
export async function readProjectFile(file: string): Promise<ServerList> {
  const content = await readJson(file);
  refuseUnknownKeys(content, projectFileKeys, file);
  const { import: imported = [] } = content;
  if (!Array.isArray(imported) || !imported.every((each) => typeof each === "string")) {
    throw new TypeError(`${file}: import must be a list of files`);
  }
  if (imported.length > maxImports)
    throw new TypeError(`${file}: import may name at most ${maxImports} files; it names ${imported.length}`);
  const own = serversIn(content) === undefined ? noServers : takeServers(content, file, translate);
  // Relative to the workspace, where other programs keep their files.
  const workspace = dirname(dirname(file));
  const files = await Promise.all(imported.map((each: string) => tryServerFile(resolve(workspace, each))));
  const lists = [...files, own];
  return {
    servers: new Map(lists.flatMap(({ servers }) => [...servers])),
    problems: lists.flatMap(({ problems }) => problems),
  };
}

const projectFileKeys = knownKeys<{ mcpServers?: unknown; servers?: unknown; import?: unknown }>({
  mcpServers: foreign,
  servers: foreign,
  import: foreign,
});

// Each server costs every command a little, and any author of a project may have written the file.
const maxServers = 100;
const maxImports = 10;

const noServers: ServerList = { servers: new Map(), problems: [] };

/** A file that cannot be read is reported, and does not affect the others. */
async function tryServerFile(file: string): Promise<ServerList> {
  try {
    return await readServerFile(file);
  } catch (error) {
    return { ...noServers, problems: [{ subject: file, message: describeThrown(error) }] };
  }
}

const maxFileBytes = 1024 * 1024;

async function readJson(file: string): Promise<Record<string, unknown>> {
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "ENOENT" ? new TypeError(`${file}: no such file`, { cause }) : cause;
  });
  if (!found.isFile() || found.size > maxFileBytes)
    throw new TypeError(`${file} is not a file, or is larger than ${maxFileBytes} bytes`);
  const text = await readFile(file, "utf8");
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new TypeError(`${file} is not valid JSON: ${oneLine(cause.message, maxShownCharacters)}`, {
      cause,
    });
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined)
    throw new TypeError(
      `${file}:${repeated.line}: ${JSON.stringify(oneLine(repeated.key, 80))} is there twice`,
    );
  if (!isPlainObject(content)) throw new TypeError(`${file} must contain an object`);
  return content;
}

const maxShownCharacters = 200;

/** The list of servers in a file; VS Code names it `servers`. */
function serversIn({ mcpServers, servers }: Record<string, unknown>): unknown {
  return mcpServers ?? servers;
}

function takeServers(content: Entry, file: string, read: (entry: Entry) => Entry): ServerList {
  const listed = serversIn(content);
  if (!isPlainObject(listed)) throw new TypeError(`${file}: mcpServers must be an object of servers by name`);
  const entries = Object.entries(listed);
  if (entries.length > maxServers)
    throw new TypeError(`${file}: at most ${maxServers} servers can be used; it lists ${entries.length}`);
  const servers = new Map<string, McpServerOptions>();
  const problems: { subject: string; message: string }[] = [];
  for (const [name, entry] of entries) {
    try {
      checkServerName(name);
      const options = isPlainObject(entry) ? read(entry) : entry;
      checkServerOptions(name, options);
      servers.set(name, options);
    } catch (error) {
      problems.push({ subject: oneLine(name, maxShownCharacters), message: describeThrown(error) });
    }
  }
  return { servers, problems };
}

type Entry = Record<string, unknown>;

/** Other programs' files have more keys, which mean nothing here. */
function takeKnown(entry: Entry): Entry {
  const known = Object.entries(translate(entry)).filter(([key]) => Object.hasOwn(serverKeys.keys, key));
  return Object.fromEntries(known);
}

/** Translates the names that other programs use for some of the options. */
function translate({ disabled, ...entry }: Entry): Entry {
  const isHttp = entry.type === "streamable-http" || entry.type === "streamableHttp";
  return { ...entry, ...(isHttp && { type: "http" }), ...(disabled === true && { enabled: false }) };
}
