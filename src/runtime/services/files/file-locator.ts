import { ToolError } from "../../../tool/tool-error.ts";
import type { Gate } from "../../policy/gate.ts";
import { outside } from "../../policy/paths/open-contained.ts";
import type { Place } from "../../policy/paths/place.ts";
import type { PathKind } from "../../policy/paths/walk-path.ts";
import type { Roots } from "../../policy/paths/workspace-roots.ts";
import { suggestSiblings } from "./read/suggest-siblings.ts";
import type { Tree } from "./tree/tree.ts";

/** What is about to be done with a path; the gate is asked about each. */
type Touch = readonly ("read" | "write")[];

/** Finds what a call wants to read or change, asks the gate about it, and refuses what is of the wrong kind. */
export interface FileLocator {
  toRead(path: string, kind: "file" | "directory"): Promise<Place>;
  /** Where a change would be made. */
  toWrite(path: string, touch?: Touch): Promise<Place>;
  /** Where a text would be written. */
  toWriteText(path: string, touch?: Touch): Promise<Place>;
  /** A text that is there, to be read and written. */
  toChangeText(path: string): Promise<Place>;
  /** Something that is there and not a root: it, not what it links to, is about to go. */
  toMove(path: string, touch?: Touch): Promise<Place>;
  /** Where something is about to be put. */
  toFill(path: string, touch?: Touch): Promise<Place>;
}

export interface LocatorOptions {
  readonly gate: Gate;
  readonly roots: Roots;
  readonly signal: AbortSignal;
  /** What paths are walked over: the disk, or the disk with planned changes laid over it. */
  readonly tree: Tree;
}

export function createFileLocator({ gate, roots, signal, tree }: LocatorOptions): FileLocator {
  /** What was found out before the call ran is looked at again where it is not as it should be. */
  const find = async (
    path: string,
    { followLast, isWanted }: { followLast: boolean; isWanted: (kind: PathKind) => boolean },
  ): Promise<Place> => {
    signal.throwIfAborted();
    const known = followLast ? gate.recall(path) : undefined;
    return known !== undefined && isWanted(known.kind)
      ? known
      : gate.locate(path, { followLast, view: tree });
  };
  const admit = async (place: Place, touch: Touch): Promise<void> => {
    for (const action of touch) await gate[action](place);
  };

  const toWrite = async (
    path: string,
    touch: Touch = ["write"],
    { followLast = true, isWanted = isOrdinary }: { followLast?: boolean; isWanted?: typeof isOrdinary } = {},
  ): Promise<Place> => {
    const place = await find(path, { followLast, isWanted });
    await admit(place, touch);
    if (!roots.contains(place.canonical)) throw outside(path);
    if (place.kind === "special") throw unexpectedKind(path, place.kind);
    return place;
  };
  const toWriteText = async (path: string, touch?: Touch, isWanted = isTextOrMissing): Promise<Place> => {
    const place = await toWrite(path, touch, { isWanted });
    if (place.kind === "directory") throw unexpectedKind(path, place.kind);
    if (path.endsWith("/")) throw new ToolError("is-directory", `${path} names a folder, not a file`);
    return place;
  };

  return {
    async toRead(path, kind) {
      const place = await find(path, { followLast: true, isWanted: (found) => found === kind });
      await admit(place, ["read"]);
      if (!roots.mayRead(place.canonical)) throw outside(path);
      if (place.kind === "missing") throw await notFound(place, roots);
      if (place.kind !== kind) throw unexpectedKind(path, place.kind);
      return place;
    },
    toWrite,
    toWriteText,
    async toChangeText(path) {
      const place = await toWriteText(path, ["read", "write"], (kind) => kind === "file");
      if (place.kind === "missing") throw await notFound(place, roots);
      return place;
    },
    async toMove(path, touch) {
      const isWanted = (kind: PathKind) => isOrdinary(kind) && kind !== "missing";
      const place = await toWrite(path, touch, { followLast: false, isWanted });
      if (place.kind === "missing") throw await notFound(place, roots);
      if (roots.holdsRoot(place.canonical)) throw isRoot(path);
      return place;
    },
    async toFill(path, touch) {
      const place = await toWrite(path, touch, { followLast: false });
      if (roots.holdsRoot(place.canonical)) throw isRoot(path);
      return place;
    },
  };
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

async function notFound({ written, canonical }: Place, roots: Roots): Promise<ToolError> {
  const siblings = await suggestSiblings(canonical, roots);
  const hint =
    siblings.length > 0
      ? `Did you mean ${siblings.join(" or ")}?`
      : "List the folder it should be in to see what is there.";
  return new ToolError("not-found", `${written} does not exist`, { hint });
}

function isRoot(path: string): ToolError {
  return new ToolError(
    "invalid-input",
    `${path} is the workspace itself, or holds it, and stays where it is`,
  );
}
