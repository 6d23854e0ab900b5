import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { newId } from "../../../shared/new-id.ts";
import { createNotedDrafts, type NotedDrafts, openLives, openLockFolder } from "../../locks/index.ts";
import type { Mount } from "./mounts.ts";

/** Entries that a command may create outside the roots, without seeing or changing their neighbours. */
export interface NewEntries {
  readonly mounts: readonly Mount[];
  /**
   * Moves the files that the command has created to their places, and removes the rest. The caller calls it when the
   * command has ended.
   */
  settle(): Promise<void>;
}

/**
 * A mount shows a whole folder, so each folder in which something is to be created is replaced by an empty one beside
 * its content, and the new entries are moved from there in the end.
 */
export async function stageNewEntries(paths: readonly string[]): Promise<NewEntries> {
  const missing = (await Promise.all(paths.map(findFirstMissing))).filter((entry) => entry !== undefined);
  const folders = [...new Set(missing.map(dirname))].filter((folder) => folder !== "/");
  if (folders.length === 0) return { mounts: [], settle: async () => {} };
  const { drafts, lives } = openDrafts();
  await drafts.removeLeft();
  const stages = (await Promise.all(folders.map((folder) => openStage(folder, drafts)))).filter(
    (stage) => stage !== undefined,
  );
  return {
    mounts: stages.map(({ folder, stage }): Mount => ({ path: folder, option: "bind", source: stage })),
    async settle() {
      for (const { folder, stage, forget } of stages) {
        const entries = missing.filter((path) => dirname(path) === folder);
        for (const path of new Set(entries)) await moveIfNew(join(stage, basename(path)), path);
        await removeStage(stage);
        await forget();
      }
      lives.close();
    },
  };
}

/** Removes the stages of processes that were killed: the files that their commands made there are half done. */
export async function removeLeftStages(): Promise<void> {
  const { drafts, lives } = openDrafts();
  await drafts.removeLeft().finally(() => lives.close());
}

function openDrafts() {
  const notes = join(openLockFolder(), "stages");
  const lives = openLives(notes);
  return { drafts: createNotedDrafts({ notes, lives, remove: removeStage }), lives };
}

/** The outermost part of a path that is not there; undefined if all of it is. */
async function findFirstMissing(path: string): Promise<string | undefined> {
  if (await isThere(path)) return undefined;
  const parent = dirname(path);
  return parent === path || (await isThere(parent)) ? path : findFirstMissing(parent);
}

/** Undefined where this user may not create anything, so that the command could not either. */
async function openStage(folder: string, drafts: Pick<NotedDrafts, "note">) {
  const stage = join(folder, newId(stageBeginning));
  const forget = await drafts.note(stage);
  try {
    await mkdir(stage, { mode: 0o700 });
    return { folder, stage, forget };
  } catch {
    await forget();
    return undefined;
  }
}

const stageBeginning = ".toolwright-stage";

async function removeStage(stage: string): Promise<void> {
  if (basename(stage).startsWith(stageBeginning))
    await rm(stage, { recursive: true, force: true }).catch(() => {});
}

/** Leaves a file alone that another process has put there meanwhile. */
async function moveIfNew(from: string, to: string): Promise<void> {
  if ((await isThere(to)) || !(await isThere(from))) return;
  await rename(from, to);
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
