import { dirname, join } from "node:path";
import {
  type FileChange,
  isSameState,
  missing,
  type NetChange,
  netChanges,
  type PathState,
} from "../../../kernel/events/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Changing } from "../change/changing.ts";
import { ifPossible, stateIfPlain } from "../tree/if-possible.ts";
import { notStored } from "../tree/not-stored.ts";

/**
 * Restores every path to its state before the changes: all of them, or none. Throws `conflict` if a path has changed
 * since. Returns the changes it made, so that they can be reverted in turn.
 */
export async function revertChanges(
  changes: readonly FileChange[],
  changing: Changing,
): Promise<readonly FileChange[]> {
  const nets = netChanges(changes);
  const stamps = await refuseConflicts(nets, changing);
  const moves = findMoves(nets);
  const rest = nets.filter(({ path }) => !moves.some(({ from, to }) => path === from || path === to));
  await preserveCurrent(rest, changing);
  await requireStored(rest, changing);
  const { intent } = changing;
  const moved = nets.filter((net) => !rest.includes(net));
  if (moved.length > 0) intent.plan(moved.map(toChange));
  if (nets.length === 1 && isOneStep(nets[0]!)) intent.last();
  await revertOnFailure((step) => restore({ moves, rest, stamps }, changing, step)).catch(asConflict);
  await intent.complete();
  const made = nets.map(toChange);
  for (const change of made) {
    const { path, after } = change;
    if (after.kind === "file") changing.freshness.record(path, { hash: after.hash, stamp: "" });
    else changing.freshness.forget(path);
    changing.report(change);
  }
  return made;
}

function toChange({ path, is, was }: NetChange): FileChange {
  return { path, before: is, after: was };
}

/** Whether nothing is ever half restored. */
function isOneStep({ is, was }: NetChange): boolean {
  return was.kind === "missing" || (was.kind === "file" && ["file", "missing"].includes(is.kind));
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/** Finds files that were moved, to move them back instead of copying them. */
function findMoves(nets: readonly NetChange[]): Move[] {
  // Moves run first, which is too early if a file has to make room for a folder.
  if (nets.some(({ is, was }) => is.kind !== was.kind && is.kind !== "missing" && was.kind !== "missing"))
    return [];
  const arrived = new Map<string, string[]>();
  for (const { path, is, was } of nets) {
    if (is.kind === "file" && was.kind === "missing")
      arrived.set(keyOf(is), [...(arrived.get(keyOf(is)) ?? []), path]);
  }
  return nets.flatMap(({ path, is, was }) => {
    const from = was.kind === "file" && is.kind === "missing" ? arrived.get(keyOf(was))?.pop() : undefined;
    return from === undefined ? [] : [{ from, to: path }];
  });
}

function keyOf({ hash, mode }: Extract<PathState, { kind: "file" }>): string {
  return `${hash} ${mode}`;
}

async function preserveCurrent(nets: readonly NetChange[], { tree, signal }: Changing): Promise<void> {
  for (const { path, is } of nets) {
    signal.throwIfAborted();
    if (is.kind === "file") await tree.preserve(path);
  }
}

/** Checks that every blob is still stored before anything is changed. */
async function requireStored(nets: readonly NetChange[], { blobs, nameOf }: Changing): Promise<void> {
  for (const { path, was } of nets) {
    if (was.kind !== "file") continue;
    const blob = await blobs.open(was.hash);
    if (blob === undefined)
      throw notStored(`the earlier version of ${nameOf(path)} is no longer stored; nothing was changed`);
    await blob.close();
  }
}

interface Restoration {
  readonly moves: readonly Move[];
  readonly rest: readonly NetChange[];
  readonly stamps: Map<string, string>;
}

/** Changes a path only while it has the stamp last seen, so that concurrent changes by others are not lost. */
async function restore({ moves, rest, stamps }: Restoration, { tree }: Changing, step: Step): Promise<void> {
  const put = async (path: string, state: PathState, before: PathState = missing): Promise<void> => {
    if (state.kind === "file") {
      const expected = stamps.get(path) ?? "";
      const options = { mode: state.mode, owner: state.owner, durable: rest.length === 1, expected, before };
      const { stamp } = await tree.putFile(path, { blob: state.hash }, options);
      stamps.set(path, stamp);
    } else if (state.kind === "link") {
      await tree.putLink(path, state.target, { owner: state.owner });
      stamps.set(path, (await tree.look(path)).stamp);
    }
    // Writable until its content is restored; the real mode is set last.
    else if (state.kind === "directory")
      await tree.putFolder(path, { mode: state.mode | 0o700, owner: state.owner, durable: false });
  };
  const drop = async (path: string, state: PathState): Promise<void> => {
    // A folder's stamp changes with its content; a folder that is not empty cannot be removed anyway.
    await tree.remove(path, state.kind === "directory" ? undefined : stamps.get(path), state);
    stamps.set(path, "");
  };
  const move = async (from: string, to: string): Promise<void> => {
    await tree.rename(from, to, { from: stamps.get(from) ?? "", to: stamps.get(to) ?? "" });
    stamps.set(from, "");
    stamps.set(to, (await tree.look(to)).stamp);
  };

  // Folders are restored before files move into them. Without moves they come later, as a file may have to make room.
  const early =
    moves.length === 0 ? [] : rest.filter(({ is, was }) => is.kind === "missing" && was.kind === "directory");
  for (const { path, was } of early) {
    await step(
      () => put(path, was),
      () => drop(path, was),
    );
  }
  for (const { from, to } of moves) {
    await step(
      () => move(from, to),
      () => move(to, from),
    );
  }
  for (const { path, is, was } of rest.toReversed()) {
    const isReplaced = is.kind === was.kind && is.kind !== "link";
    if (is.kind !== "missing" && !isReplaced)
      await step(
        () => drop(path, is),
        () => put(path, is),
      );
  }
  for (const net of rest) {
    const { path, is, was } = net;
    if (was.kind === "missing" || early.includes(net)) continue;
    if (was.kind === "directory" && is.kind === "directory") continue;
    const isReplaced = is.kind === "file" && was.kind === "file";
    await step(
      () => put(path, was, isReplaced ? is : missing),
      () => (isReplaced ? put(path, is, was) : drop(path, was)),
    );
  }
  for (const { path, is, was } of rest.toReversed()) {
    if (was.kind !== "directory") continue;
    await step(
      () => tree.setMode(path, was.mode),
      () => tree.setMode(path, is.kind === "directory" ? is.mode : 0o700),
    );
  }
}

/** Another process changed the file after the last check; the caller gets the same conflict as from the first check. */
function asConflict(error: unknown): never {
  if (!(error instanceof ToolError) || error.code !== "stale-file") throw error;
  throw new ToolError("conflict", `${error.message}; nothing was restored`, {
    hint: "Look at it, then retry.",
    retryable: true,
    cause: error,
  });
}

/** Makes a step, which is taken back if a later one fails. */
type Step = (make: () => Promise<unknown>, takeBack: () => Promise<unknown>) => Promise<void>;

/** If a step fails, the steps before it are reverted, the last one first. */
async function revertOnFailure(work: (step: Step) => Promise<void>): Promise<void> {
  const done: (() => Promise<unknown>)[] = [];
  try {
    await work(async (make, takeBack) => {
      await make();
      done.push(takeBack);
    });
  } catch (error) {
    for (const takeBack of done.reverse()) await takeBack().catch(unlessConflict);
    throw error;
  }
}

/** A path that another process changed meanwhile is left alone; the others are still reverted. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof ToolError && ["conflict", "stale-file"].includes(error.code))) throw error;
}

/**
 * Refuses if paths block a revert: those changed since, and those created where something has to be restored or removed.
 * The stamps show later whether a path is still as it was found here.
 */
async function refuseConflicts(
  nets: readonly NetChange[],
  { tree, signal, nameOf }: Changing,
): Promise<Map<string, string>> {
  const byPath = new Map(nets.map((net) => [net.path, net]));
  const conflicts = new Set<string>();
  const stamps = new Map<string, string>();
  for (const { path, is, was } of nets) {
    signal.throwIfAborted();
    const hidden = isHidden(path, byPath);
    // Taken before the content is read, so that any later change shows.
    stamps.set(path, hidden ? "" : ((await ifPossible(() => tree.look(path)))?.stamp ?? ""));
    const present = hidden ? missing : await stateIfPlain(tree, path);
    if (present === undefined || !isSameState(present, is)) {
      conflicts.add(path);
      continue;
    }
    if (is.kind === "directory" && was.kind !== "directory") {
      for (const { name } of await tree.entries(path, Number.POSITIVE_INFINITY)) {
        const inside = byPath.get(join(path, name));
        if (inside?.was.kind !== "missing") conflicts.add(join(path, name));
      }
    }
    const parent = byPath.get(dirname(path))?.was ?? (await stateIfPlain(tree, dirname(path)));
    if (was.kind !== "missing" && parent?.kind !== "directory") conflicts.add(dirname(path));
  }
  if (conflicts.size === 0) return stamps;
  const names = [...conflicts].sort().map(nameOf);
  throw new ToolError("conflict", `nothing was restored, because these changed since: ${names.join(", ")}`, {
    hint: "Look at these files and change them by hand.",
    partial: { conflicts: names },
  });
}

/** Whether the changes replaced a folder above the path by something else, so that the path cannot exist. */
function isHidden(path: string, byPath: ReadonlyMap<string, NetChange>): boolean {
  const parent = dirname(path);
  if (parent === path) return false;
  const above = byPath.get(parent);
  return (above !== undefined && above.is.kind !== "directory") || isHidden(parent, byPath);
}
