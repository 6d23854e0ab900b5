import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { openContained, outside, type PathKind, type Place } from "../../machine/paths/index.ts";
import type { Roots } from "../../shared/files/workspace-roots.ts";
import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { OpenedScope } from "./open-scope.ts";

/** The actions planned for a path; the gate is asked about each. */
type Touch = readonly ("read" | "write")[];

export type FileLocator = ReturnType<typeof createFileLocator>;

/** Resolves the paths a call reads or changes, asks the gate about them, and refuses the wrong kind of file. */
export function createFileLocator({ gate, roots, signal, tree, nameOf }: OpenedScope) {
  const enter = (path: string, touch: Touch, how: Wanted): Promise<Place> => {
    signal.throwIfAborted();
    return gate.enter(path, touch, { followLast: true, ...how, view: tree });
  };
  /** A test for whether a listing may show a path. */
  const listed = () => {
    const look = gate.visibility();
    return (canonical: string) => {
      const relative = roots.relative(canonical);
      return look({ absolute: canonical, relative, isInside: roots.contains(canonical) }) !== "hidden";
    };
  };
  const missing = async ({ written, canonical }: Place): Promise<ToolError> => {
    const siblings = await suggestSiblings(canonical);
    const hint = didYouMean(siblings, "List its folder to see what is there.");
    return new ToolError("not-found", `${written} does not exist`, { hint });
  };
  /** Suggests names similar to a path's first missing part, from the folder where that part should be. */
  const suggestSiblings = async (canonical: string): Promise<readonly string[]> => {
    const isListed = listed();
    let absent = canonical;
    for (let parent = dirname(absent); roots.mayRead(parent); parent = dirname(absent)) {
      const names = await namesIn(parent, roots);
      if (names !== undefined) {
        const shown = names.filter((name) => isListed(join(parent, name)));
        return nearestNames(basename(absent), shown).map((name) => nameOf(join(parent, name)));
      }
      absent = parent;
    }
    return [];
  };
  /** A path to change, existing or not. */
  const toWrite = async (
    path: string,
    touch: Touch = ["write"],
    how: Wanted = { isWanted: isOrdinary },
  ): Promise<Place> => {
    const place = await enter(path, touch, how);
    if (!roots.contains(place.canonical)) throw outside(path, roots.root);
    if (place.kind === "special") throw unexpectedKind(path, place.kind);
    return place;
  };
  /** A path to write text to: an existing file, or nothing yet. */
  const toWriteText = async (path: string, touch?: Touch, isWanted = isTextOrMissing): Promise<Place> => {
    const place = await toWrite(path, touch, { isWanted });
    if (place.kind === "directory") throw unexpectedKind(path, place.kind);
    if (path.endsWith("/")) throw new ToolError("is-directory", `${path} names a folder, not a file`);
    return place;
  };

  return {
    listed,
    async toRead(path: string, kind: "file" | "directory"): Promise<Place> {
      const place = await enter(path, ["read"], { isWanted: (found) => found === kind });
      if (!roots.mayRead(place.canonical)) throw outside(path, roots.root);
      if (place.kind === "missing") throw await missing(place);
      if (place.kind !== kind) throw unexpectedKind(path, place.kind);
      return place;
    },
    toWrite,
    toWriteText,
    /** An existing text file to read and write. */
    async toChangeText(path: string): Promise<Place> {
      const place = await toWriteText(path, ["read", "write"], (kind) => kind === "file");
      if (place.kind === "missing") throw await missing(place);
      return place;
    },
    /** An existing path to move or remove, never a root. A link is returned itself, not its target. */
    async toMove(path: string, touch?: Touch): Promise<Place> {
      const isWanted = (kind: PathKind) => isOrdinary(kind) && kind !== "missing";
      const place = await toWrite(path, touch, { followLast: false, isWanted });
      if (place.kind === "missing") throw await missing(place);
      if (roots.holdsRoot(place.canonical)) throw isRoot(path);
      return place;
    },
    /** The destination of a move or copy. */
    async toFill(path: string, touch?: Touch): Promise<Place> {
      const place = await toWrite(path, touch, { followLast: false, isWanted: isOrdinary });
      if (roots.holdsRoot(place.canonical)) throw isRoot(path);
      return place;
    },
  };
}

interface Wanted {
  readonly followLast?: boolean;
  readonly isWanted: (kind: PathKind) => boolean;
}

function isOrdinary(kind: PathKind): boolean {
  return kind !== "special";
}

function isTextOrMissing(kind: PathKind): boolean {
  return kind === "file" || kind === "missing";
}

function unexpectedKind(path: string, kind: PathKind): ToolError {
  if (kind === "directory") {
    return new ToolError("is-directory", `${path} is a directory`, {
      hint: "List its entries instead (ls).",
    });
  }
  if (kind === "file") {
    return new ToolError("not-a-directory", `${path} is a file, not a directory`, {
      hint: "Read it instead.",
    });
  }
  return new ToolError("not-a-file", `${path} is a device, pipe or socket, not a regular file`);
}

function isRoot(path: string): ToolError {
  return new ToolError(
    "invalid-input",
    `${path} is the workspace or contains it, so it cannot be moved, replaced or removed`,
  );
}

async function namesIn(folder: string, { mayRead }: Roots): Promise<readonly string[] | undefined> {
  try {
    const opened = await openContained(folder, { kind: "directory", shownPath: folder, mayOpen: mayRead });
    return await readdir(opened.location).finally(() => opened.handle.close());
  } catch {
    // Suggestions are optional: whatever is wrong with this folder, the error stays "not found".
    return undefined;
  }
}
