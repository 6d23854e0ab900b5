import { sha256 } from "../../../shared/sha256.ts";
import { toolPrefix } from "../server-names.ts";

/**
 * The name under which a server's tool is offered: `mcp__server__tool`. It is never parsed. A name that is too long or
 * has other characters is replaced by one with a hash.
 */
export function offeredName(server: string, tool: string): string {
  return fitName(toolPrefix(server) + tool, `${server}\0${tool}`);
}

/**
 * The same name with single underscores, as some systems write it. None if it would not be a valid name or could be
 * taken for another server's tool, as with a server `_a_`.
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
