import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createStarMatcher } from "../../../shared/glob/name-pieces.ts";
import { isPlainObject } from "../../../shared/json.ts";
import type { PermissionRequest } from "../../../tool/permission-request.ts";
import { isStdio, type McpServerOptions } from "../server-options.ts";

type PathUse = NonNullable<McpServerOptions["paths"]>[string][string];

/**
 * The paths that a call of a server's tool touches, as far as the server's options name its arguments. They are judged
 * besides the call itself: naming them never allows more.
 */
export function pathArguments(
  options: McpServerOptions,
  tool: string,
): (input: unknown) => readonly PermissionRequest[] {
  const folder = isStdio(options) ? (options.cwd ?? "") : "";
  const uses = Object.entries(options.paths ?? {})
    .filter(([pattern]) => createStarMatcher(pattern)(tool))
    .flatMap(([, names]) => Object.entries(names));
  if (uses.length === 0) return () => [];
  return (input) => {
    const given = isPlainObject(input) ? input : {};
    return uses.flatMap(([name, use]) =>
      pathsIn(given[name], name).flatMap((path) => requestsFor(toLocal(path, folder), use)),
    );
  };
}

/** The file that an address names to a program on this machine, so that rules on paths bind it undeclared. */
export function fileOfAddress(options: McpServerOptions, input: unknown): readonly PermissionRequest[] {
  const uri = isPlainObject(input) ? input.uri : undefined;
  if (!isStdio(options) || typeof uri !== "string") return [];
  const address = URL.parse(bounded(uri));
  return address?.protocol === "file:" ? requestsFor(fileURLToPath(address), "read") : [];
}

function pathsIn(value: unknown, name: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((each) => typeof each === "string")) return values;
  throw new TypeError(`${name} is declared to be a path, but is neither a text nor a list of texts`);
}

/** Servers take addresses of files and `~/` as well. */
function toLocal(path: string, folder: string): string {
  if (path.startsWith("file:")) return fileURLToPath(bounded(path));
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  return path.startsWith("/") || folder === "" ? path : join(folder, path);
}

/** A longer address takes long to be read, and names a file only by going up and down. */
function bounded(address: string): string {
  if (address.length <= maxAddressCharacters) return address;
  throw new TypeError(`an address has more than ${maxAddressCharacters} characters`);
}

/** Of a path of 4,096 bytes, each escaped. */
const maxAddressCharacters = 3 * 4096 + 100;

function requestsFor(target: string, use: PathUse): PermissionRequest[] {
  const actions = use === "read-write" ? (["read", "write"] as const) : [use];
  // The entries of a folder count too, because the server may go through it.
  return actions.map((action) => ({ action, target, treesOf: [target], byProgram: true }));
}
