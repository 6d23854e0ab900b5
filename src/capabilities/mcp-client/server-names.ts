import { sha256 } from "../../shared/crypto.ts";
/** Throws for server names that cannot be part of a tool's name. */
export function checkServerName(name: string): void {
  if (serverName.test(name)) return;
  throw new TypeError(
    `an MCP server's name must be 1 to 64 letters, digits, "_" or "-"; received ${JSON.stringify(name)}`,
  );
}

const serverName = /^[A-Za-z0-9_-]{1,64}$/;

/** The prefix of all tool names of a server. */
export function toolPrefix(server: string): string {
  return `mcp__${server}__`;
}

/** Another server whose tools could get the same names as this one's, as with `a` and `a__b`. */
export function findConfusable(server: string, others: Iterable<string>): string | undefined {
  const own = toolPrefix(server);
  for (const other of others) {
    const prefix = toolPrefix(other);
    if (other !== server && (own.startsWith(prefix) || prefix.startsWith(own))) return other;
  }
  return undefined;
}

/**
 * The name under which a server's tool is offered: `mcp__server__tool`. It is never parsed. A name that is too long or
 * has other characters is replaced by one with a hash.
 */
export function offeredName(server: string, tool: string): string {
  return fitName(toolPrefix(server) + tool, `${server}\0${tool}`);
}

/**
 * The tool's name with single underscores, as some systems write it. The list is empty if that would not be a valid name,
 * or could be taken for another server's tool, as with a server `_a_`.
 */
export function shortNames(server: string, tool: string): string[] {
  const name = `mcp_${server}_${tool}`;
  return isFit(name) && !server.startsWith("_") ? [name] : [];
}

/** Whether this server could have a tool with this name, long or short; several servers may match. */
export function couldBeToolOf(server: string, name: string): boolean {
  const prefixes = [toolPrefix(server), ...shortNames(server, "")];
  return prefixes.some((prefix) => name.startsWith(prefix.slice(0, plainLength)));
}

const maxNameLength = 64;
const hashLength = 8;
const plainLength = maxNameLength - hashLength - 1;

function fitName(name: string, identity: string): string {
  if (isFit(name)) return name;
  const plain = name.slice(0, plainLength).replace(/[^A-Za-z0-9_-]/g, "_");
  return `${plain}_${sha256(identity).slice(0, hashLength)}`;
}

function isFit(name: string): boolean {
  return name.length <= maxNameLength && /^[A-Za-z0-9_-]+$/.test(name);
}
