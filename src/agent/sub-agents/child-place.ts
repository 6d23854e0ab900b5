import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Worktree } from "../../runtime/worktrees/worktree.ts";
import type { BranchWork } from "../../tool/services/agents.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { AgentRuntimeParts } from "../agent-runtime-parts.ts";
import type { ChildPlan } from "./child-agent.ts";

/** Where an agent works that was spawned. */
export interface ChildPlace {
  readonly parts: AgentRuntimeParts;
  readonly worktree?: Worktree;
  /** Gives what it has left on its branch, if it has one. */
  close(): Promise<BranchWork | undefined>;
}

/** The workspace of its parent, or a worktree of it. */
export async function openPlace(
  parts: AgentRuntimeParts,
  { id, title, task, parent }: ChildPlan<{ readonly signal: AbortSignal }>,
): Promise<ChildPlace> {
  if (task.worktree === undefined) return { parts, close: async () => undefined };
  const { createWorktree } = await import("../../runtime/worktrees/create-worktree.ts");
  const { removeHalfMade } = await import("../../runtime/worktrees/remove-half-made.ts");
  const { branch } = task.worktree;
  const workspace = parts.workspace.root;
  // Beside what we keep, which no command may see.
  const worktrees = `${parts.stateFolder}.worktrees`;
  // What stands in the way of that does not stand in the way of a new one.
  await removeHalfMade({ workspace, folder: worktrees }).catch(() => {});
  const worktree = await createWorktree({
    workspace,
    folder: join(worktrees, id),
    ...(branch !== undefined && { branch }),
    signal: parent.signal,
  });
  try {
    // Of a workspace below the repository's top, git looks above it, too.
    const inside = await parts.inFolder(worktree.root, [worktree.gitFolder, worktree.folder]);
    return { parts: inside, worktree, close: () => finishPlace(worktree, title) };
  } catch (error) {
    await finishPlace(worktree, title);
    throw error;
  }
}

/** Also for one whose process is gone, from what was kept of it. */
export async function finishPlace(kept: unknown, title: string): Promise<BranchWork> {
  const { finishWorktree } = await import("../../runtime/worktrees/finish-worktree.ts");
  const worktree = kept as Worktree;
  const { base, hasUncommitted } = worktree;
  const finished = await finishWorktree(worktree, { message: title }).catch(sayWithHint);
  const { branch, isBranchKept, files, hasMoreFiles } = finished;
  // Others may have theirs there.
  await rmdir(dirname(worktree.folder)).catch(() => {});
  return { branch, base, hasUncommitted, isKept: isBranchKept, files, hasMoreFiles };
}

/** Of why an agent failed only the message is told, and here the hint says what to do with what is left. */
function sayWithHint(error: unknown): never {
  if (!(error instanceof ToolError) || error.hint === undefined) throw error;
  const { code, message, hint } = error;
  throw new ToolError(code, `${message}. ${hint}`, { hint, cause: error });
}
