import { readdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isSensitivePath } from "../../../kernel/policy/index.ts";
import type { BranchWork } from "../../../tool/services/agents.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { AgentRuntimeParts } from "../host/agent-runtime-parts.ts";
import type { Worktree } from "../worktrees/worktree-record.ts";
import type { ChildPlan } from "./child-agent.ts";

export type ChildPlace = Awaited<ReturnType<typeof openPlace>>;

/** Opens the place where a sub-agent works: the parent's workspace, or a worktree of it. */
export async function openPlace(parts: AgentRuntimeParts, { id, title, task, parent }: ChildPlan) {
  if (task.worktree === undefined)
    return { parts, worktree: undefined, settle: async () => {}, close: async () => undefined };
  const { createWorktree, settleWorktree } = await import("../worktrees/create-worktree.ts");
  const { branch } = task.worktree;
  const workspace = parts.workspace.root;
  await tidyPlaces(parts);
  const worktree = await createWorktree({
    workspace,
    folder: join(parts.worktreesFolder, id),
    isTentative: true,
    branch,
    isSecret: isSensitivePath,
    signal: parent.signal,
  });
  try {
    // If the workspace is a subfolder of the repository, git also reads the folders above it.
    const inside = await parts.inFolder(worktree.root, [worktree.gitFolder, worktree.folder]);
    /** Called once the agent that works there is on record. */
    const settle = () => settleWorktree(worktree);
    /** Returns the work on its branch. */
    const close = async () => {
      await settle();
      return finishPlace(worktree, title);
    };
    return { parts: inside, worktree, settle, close };
  } catch (error) {
    await settleWorktree(worktree);
    await finishPlace(worktree, title);
    throw error;
  }
}

/** Removes the worktrees that killed processes have left half made. A failed clean-up prevents nothing. */
export async function tidyPlaces({
  workspace,
  worktreesFolder: folder,
}: Pick<AgentRuntimeParts, "workspace" | "worktreesFolder">): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return;
  const { removeHalfMade } = await import("../worktrees/remove-half-made.ts");
  await removeHalfMade({ workspace: workspace.root, folder }).catch(() => {});
}

/** Takes a stored worktree, so that it also works for a sub-agent whose process is gone. */
export async function finishPlace(kept: unknown, title: string, signal?: AbortSignal): Promise<BranchWork> {
  const { finishWorktree } = await import("../worktrees/finish-worktree.ts");
  const worktree = kept as Worktree;
  const { base, hasUncommitted } = worktree;
  const finished = await finishWorktree(worktree, { message: title, signal }).catch(sayWithHint);
  const { branch, isBranchKept, files, hasMoreFiles } = finished;
  // Fails while other sub-agents have worktrees there.
  await rmdir(dirname(worktree.folder)).catch(() => {});
  return { branch, base, hasUncommitted, isKept: isBranchKept, files, hasMoreFiles };
}

/** A report has only the error's message, so the hint, which says how to rescue the work, is added to it. */
function sayWithHint(error: unknown): never {
  if (!(error instanceof ToolError) || error.hint === undefined) throw error;
  const { code, message, hint } = error;
  throw new ToolError(code, `${message}. ${hint}`, { hint, cause: error });
}
