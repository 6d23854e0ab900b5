import { chmod, mkdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { defaultStateBase, stateBase } from "../../../machine/locks/index.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";

/** The folder for a workspace's permanent state. It is outside the workspace, so that no tool writes there. */
export function stateFolderOf(workspaceRoot: string, environment: NodeJS.ProcessEnv = process.env): string {
  const name = basename(workspaceRoot).replace(/[^A-Za-z0-9._-]/g, "_") || "root";
  return join(stateBase(environment), rootName, `${name}-${sha256(workspaceRoot).slice(0, 16)}`);
}

/**
 * The folders that hold the state of all workspaces: the one in use, and the usual one, where other processes may keep
 * theirs.
 */
export function stateRoots(): readonly string[] {
  return [...new Set([stateBase(), ...usualBases()])].map((base) => join(base, rootName));
}

/** The usual base of state folders; none if the user has no home. */
function usualBases(): string[] {
  try {
    return [defaultStateBase()];
  } catch {
    return [];
  }
}

const rootName = "toolwright";

/** Creates the folder, and makes it and the one that all workspaces share private to the user. */
export async function openStateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const each of [dirname(folder), folder]) await makePrivate(each);
}

async function makePrivate(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  const user = process.geteuid?.() ?? uid;
  // An administrator's process has the most to lose by what another user has written there.
  if (uid !== user && uid !== 0) {
    throw new Error(
      `${folder} belongs to another user (${uid}), who could change the records there; give it to the user who runs this, or set XDG_STATE_HOME to another folder`,
    );
  }
  if ((mode & 0o077) !== 0 && uid === user) await chmod(folder, 0o700);
}

/**
 * The worktree of a sub-agent that a path lies in, which is kept beside the state folder; undefined for any other path.
 */
export function worktreeAround(path: string, roots: readonly string[]): string | undefined {
  for (const root of roots) {
    const [kept = "", id] = relativeInside(root, path)?.split("/") ?? [];
    if (kept.endsWith(worktreesSuffix) && id !== undefined) return join(root, kept, id);
  }
  return undefined;
}

/** Beside the state folder, which no command may see. */
export function worktreesFolderOf(stateFolder: string): string {
  return `${stateFolder}${worktreesSuffix}`;
}

const worktreesSuffix = ".worktrees";
