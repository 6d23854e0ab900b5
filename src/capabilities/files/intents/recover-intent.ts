import {
  type FileChange,
  isSameState,
  missing,
  netChanges,
  type PathState,
} from "../../../kernel/events/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { removeAll } from "../change/remove-all.ts";
import { ifPossible, stateIfPlain } from "../tree/if-possible.ts";
import type { Tree } from "../tree/tree.ts";
import type { IntentStep } from "./intent.ts";
import type { IntentRecord } from "./intent-record.ts";

/** What came of an intent whose process has died. */
export interface RecoveredIntent {
  /** The changes that remain in the end. */
  readonly changes: readonly FileChange[];
  readonly isTakenBack: boolean;
}

/**
 * Takes back the change that a dead process had half done, or completes it if it was past its last step, and removes
 * its leftovers. A file that was changed since stays as it is now. Can be repeated if it is itself interrupted.
 */
export async function recoverIntent(record: IntentRecord, tree: Tree): Promise<RecoveredIntent> {
  const entries = placeEntries(record);
  const isComplete = record.isCommitted || (await isPastLast(entries, tree));
  // What could not be brought back because its place is taken is kept aside.
  const kept = isComplete ? [] : entries.flatMap(({ step }) => (step?.kind === "rename" ? [step.to] : []));
  for (const { step, scratch } of entries.toReversed()) {
    if (step?.kind === "put") await unlessRefused(removeFile(step.temporary, tree));
    else if (step !== undefined && !isComplete) await unlessRefused(takeBack(step, tree));
    if (scratch !== undefined && !kept.includes(scratch)) await unlessRefused(removeIfThere(scratch, tree));
  }
  const changes = await changesOf(record, tree);
  if (isComplete) return { changes, isTakenBack: false };
  const left = await changesLeft(changes, tree);
  return { changes: left, isTakenBack: left.length < netChanges(changes).length };
}

/** The changes of an intent, as if all its steps were done. */
export async function changesOf(record: IntentRecord, tree: Pick<Tree, "look">): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  const before = new Map<string, PathState>();
  for (const entry of record.entries) {
    if ("scratch" in entry) continue;
    if ("changes" in entry) changes.push(...entry.changes);
    else if (entry.step.kind === "put") before.set(entry.step.path, entry.step.before);
    else changes.push(...(await changeOf(entry.step, { before, tree })));
  }
  return changes;
}

async function changeOf(
  step: IntentStep,
  { before, tree }: { before: ReadonlyMap<string, PathState>; tree: Pick<Tree, "look"> },
): Promise<FileChange[]> {
  switch (step.kind) {
    case "ready":
      return [{ path: step.path, before: before.get(step.path) ?? missing, after: step.after }];
    case "link":
      return [{ path: step.path, before: missing, after: { kind: "link", target: step.target } }];
    case "remove":
      return [{ path: step.path, before: step.before, after: missing }];
    case "folder": {
      const { kind, mode } = await tree.look(step.path);
      return kind === "directory" ? [{ path: step.path, before: missing, after: { kind, mode } }] : [];
    }
    case "mode": {
      const { kind } = await tree.look(step.path);
      if (kind !== "directory") return [];
      return [{ path: step.path, before: { kind, mode: step.before }, after: { kind, mode: step.after } }];
    }
    case "put":
    case "rename":
      // The plan already tells which files were moved.
      return [];
  }
}

/** Of these changes, those to paths that are not as they were before the first of them. */
async function changesLeft(changes: readonly FileChange[], tree: Tree): Promise<FileChange[]> {
  const left = new Set<string>();
  for (const { path, was } of netChanges(changes)) {
    const now = await stateIfPlain(tree, path);
    if (now === undefined || !isSameState(now, was)) left.add(path);
  }
  return changes.filter(({ path }) => left.has(path));
}

interface PlacedEntry {
  readonly step?: PlacedStep;
  readonly isLast?: boolean;
  readonly scratch?: string;
}

type PlacedStep = Exclude<IntentStep, { kind: "ready" }> | ReadyStep;

/** With the step that filled the file. */
type ReadyStep = Extract<IntentStep, { kind: "ready" }> & {
  readonly put: Extract<IntentStep, { kind: "put" }>;
};

function placeEntries({ entries }: IntentRecord): PlacedEntry[] {
  const puts = new Map<string, Extract<IntentStep, { kind: "put" }>>();
  const placed: PlacedEntry[] = [];
  for (const entry of entries) {
    if ("scratch" in entry) placed.push(entry);
    if (!("step" in entry)) continue;
    const { step, isLast } = entry;
    if (step.kind === "put") puts.set(step.path, step);
    const put = step.kind === "ready" ? puts.get(step.path) : undefined;
    if (step.kind !== "ready") placed.push({ step, isLast });
    else if (put !== undefined) placed.push({ step: { ...step, put }, isLast });
  }
  return placed;
}

async function isPastLast(entries: readonly PlacedEntry[], tree: Tree): Promise<boolean> {
  const last = entries.find(({ isLast }) => isLast)?.step;
  if (last === undefined) return false;
  switch (last.kind) {
    case "ready": {
      if (await hasId(tree, last.path, last.id)) return true;
      // The file has its name, and was replaced since.
      if ((await look(tree, last.put.temporary)) !== undefined) return false;
      const now = await stateIfPlain(tree, last.path);
      return now === undefined || !isSameState(now, last.put.before);
    }
    case "rename":
      return !(await hasId(tree, last.from, last.id));
    case "remove": {
      const now = await stateIfPlain(tree, last.path);
      return now === undefined || !isSameState(now, last.before);
    }
    case "folder":
    case "link":
    case "mode":
    case "put":
      return (await look(tree, last.path)) !== undefined;
  }
}

/** Does nothing to a path that is not as the step has left it. */
async function takeBack(step: PlacedStep, tree: Tree): Promise<void> {
  switch (step.kind) {
    case "put":
      return;
    case "ready": {
      const { path, after, id, put } = step;
      const stamp = (await look(tree, path))?.stamp;
      if (stamp === undefined || !stamp.startsWith(`${id}:`)) return;
      const now = await stateIfPlain(tree, path);
      if (now !== undefined && isSameState(now, after)) await restore(path, put.before, { tree, stamp });
      return;
    }
    case "folder":
      // Fails if something was put there meanwhile.
      if ((await look(tree, step.path))?.kind === "directory") await tree.remove(step.path);
      return;
    case "link": {
      const now = await stateIfPlain(tree, step.path);
      if (now?.kind === "link" && now.target === step.target) await tree.remove(step.path);
      return;
    }
    case "mode":
      if ((await look(tree, step.path))?.mode === step.after) await tree.setMode(step.path, step.before);
      return;
    case "remove":
      if ((await look(tree, step.path)) === undefined)
        await restore(step.path, step.before, { tree, stamp: "" });
      return;
    case "rename": {
      const { from, to, id, before } = step;
      if (!(await hasId(tree, to, id)) || (await look(tree, from)) !== undefined) return;
      await tree.rename(to, from, { to: "" });
      if (before.kind !== "missing") await restore(to, before, { tree, stamp: "" });
    }
  }
}

async function restore(
  path: string,
  state: PathState,
  { tree, stamp }: { tree: Tree; stamp: string },
): Promise<void> {
  switch (state.kind) {
    case "missing":
      return tree.remove(path, stamp);
    case "file": {
      const { mode, owner } = state;
      await tree.putFile(path, { blob: state.hash }, { mode, owner, expected: stamp });
      return;
    }
    case "link":
      if (stamp !== "") await tree.remove(path, stamp);
      await tree.putLink(path, state.target, { owner: state.owner });
      return;
    case "directory":
      await tree.putFolder(path, { mode: state.mode, owner: state.owner });
  }
}

async function removeFile(path: string, tree: Tree): Promise<void> {
  if ((await look(tree, path))?.kind === "file") await tree.remove(path);
}

async function removeIfThere(path: string, tree: Tree): Promise<void> {
  if ((await look(tree, path)) !== undefined) await removeAll(path, tree);
}

async function hasId(tree: Tree, path: string, id: string): Promise<boolean> {
  return (await look(tree, path))?.stamp.startsWith(`${id}:`) === true;
}

/** Undefined if nothing is there, or if a folder above it is not a folder any more. */
async function look(tree: Tree, path: string) {
  const found = await ifPossible(() => tree.look(path));
  return found?.kind === "missing" ? undefined : found;
}

/**
 * Another file is in the way, or the old content is no longer stored: this path stays as it is, and the others go on.
 */
async function unlessRefused(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ToolError) || isOfMachine(error)) throw error;
  }
}

/** Such as a full disk: it can be tried again. */
function isOfMachine({ code, cause }: ToolError): boolean {
  return code === "unavailable" && cause !== undefined;
}
