import { lstat, readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { errorCodeOf } from "../../shared/files/error-code.ts";
import { kindOf } from "../../shared/files/kind-of.ts";
import { defined } from "../../shared/options/defined.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { fileError } from "./file-error.ts";

export type PathKind = "file" | "directory" | "link" | "special" | "missing";

export interface Walked {
  readonly canonical: string;
  readonly kind: PathKind;
  /** Paths of the links that were followed, because the floor judges their names too. */
  readonly links: readonly string[];
}

export type WalkOutcome =
  | ({ readonly status: "reached" } & Walked)
  | { readonly status: "stopped"; readonly stoppedAt: string; readonly error: unknown };

/** The file system that a path is resolved on: the disk, or the disk after planned changes. */
export interface FileSystemView {
  kindAt(place: string): Promise<PathKind>;
  linkTarget(place: string): Promise<string>;
}

// The same limit as in Linux.
const maxLinks = 40;

/**
 * Resolves a path component by component, as the kernel does: `..` after a link goes up from the link's target, a
 * dangling link leads to where its target would be, and nothing is decoded, expanded or folded.
 */
export async function walkPath(
  path: string,
  { from, followLast, view }: { from: string; followLast: boolean; view: FileSystemView },
): Promise<WalkOutcome> {
  checkPath(path);
  const links: string[] = [];
  const start = startOf(path, from);
  const ahead = start.ahead;
  let canonical = start.canonical;
  let kind: PathKind = "directory";

  try {
    for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
      if (kind === "missing" && name !== "..") {
        if (name !== ".") canonical = join(canonical, name);
        continue;
      }
      if (kind !== "directory") throw cannotContinue(path, kind);
      if (name === ".") continue;
      if (name === "..") {
        canonical = dirname(canonical);
        continue;
      }
      const place = join(canonical, name);
      kind = await view.kindAt(place);
      if (kind !== "link" || (ahead.length === 0 && !followLast)) {
        canonical = place;
        continue;
      }
      if (links.push(place) > maxLinks)
        throw new ToolError("invalid-input", `${path} follows too many links, perhaps in a circle`);
      const target = await view.linkTarget(place);
      if (isAbsolute(target)) canonical = parse(target).root;
      ahead.push(...componentsAhead(target));
      kind = "directory";
    }
  } catch (cause) {
    const error = cause instanceof ToolError ? cause : fileError(cause, path);
    return { status: "stopped", stoppedAt: canonical, error };
  }
  return { status: "reached", canonical, kind, links };
}

/** Skips the root, which is known to contain no links; most absolute paths start with it. */
function startOf(path: string, from: string): { canonical: string; ahead: string[] } {
  if (!isAbsolute(path)) return { canonical: from, ahead: componentsAhead(path) };
  const prefix = from.endsWith(sep) ? from : from + sep;
  if (path.startsWith(prefix)) return { canonical: from, ahead: componentsAhead(path.slice(prefix.length)) };
  return { canonical: parse(path).root, ahead: componentsAhead(path) };
}

/** In reverse order, to be popped. A trailing slash becomes `.`, which only a directory has. */
function componentsAhead(path: string): string[] {
  const names = path.split(sep).filter((name) => name !== "");
  if (path.endsWith(sep)) names.push(".");
  return names.reverse();
}

export const disk: FileSystemView = {
  async kindAt(place) {
    try {
      return kindOf(await lstat(place));
    } catch (error) {
      if (errorCodeOf(error) === "ENOENT") return "missing";
      throw error;
    }
  },
  linkTarget: (place) => readlink(place),
};

function cannotContinue(path: string, kind: PathKind): ToolError {
  if (kind === "missing")
    return new ToolError("not-found", `${path} goes up with .. from a folder that does not exist`);
  return new ToolError("not-a-directory", `part of ${path} is not a directory`);
}

// The kernel's limits in bytes; the path limit includes the final NUL.
const maxNameBytes = 255;
const maxPathBytes = 4096;

/** Throws for names that no file can have, before touching the disk. */
function checkPath(path: string): void {
  if (path === "") throw refuse("the path is empty", "Use . for the workspace itself.");
  if (path.includes("\0")) throw refuse("the path contains a NUL character");
  // It would be encoded as U+FFFD and so name a different file.
  if (!path.isWellFormed()) throw refuse("the path contains half a character (a lone surrogate)");
  if (Buffer.byteLength(path) >= maxPathBytes)
    throw refuse(`the path is longer than ${maxPathBytes - 1} bytes`);
  for (const name of path.split("/")) {
    if (Buffer.byteLength(name) > maxNameBytes) {
      throw refuse(`the path contains a name longer than ${maxNameBytes} bytes`);
    }
  }
}

function refuse(message: string, hint?: string): ToolError {
  return new ToolError("invalid-input", message, defined({ hint }));
}
