import { setTimeout as delay } from "node:timers/promises";
import { StoreBusy } from "../../../kernel/store/index.ts";
import { type KernelLock, withUserLock } from "../../../machine/locks/index.ts";
import type { OpenFolder } from "./open-folder.ts";

export interface StepOptions {
  readonly signal: AbortSignal;
  /** Throws if the session belongs to another process by now. */
  readonly confirmOwner: () => void;
  readonly stepLock?: KernelLock | undefined;
}

/**
 * Makes one step of a change: looks once more whether the session is still ours and everything is as it was when the
 * change was prepared, and renames, removes or makes. No other process of this user, nor one that shares the store, changes
 * a file between the two, so none can lose a change; nor does one go on that has taken the session over (`awaitSteps`).
 */
export async function commitStep(
  folders: readonly OpenFolder[],
  { signal, confirmOwner, stepLock }: StepOptions,
  step: () => void,
): Promise<void> {
  for (const folder of folders) await folder.confirm();
  for (let tries = 0; ; tries++) {
    try {
      return await withUserLock(
        "files",
        () => {
          confirmOwner();
          for (const folder of folders) folder.confirmNow();
          step();
        },
        { signal, also: stepLock },
      );
    } catch (error) {
      if (!(error instanceof StoreBusy) || tries === maxTries) throw error;
      await delay(2 ** tries);
    }
  }
}

// For half a second in all: only a process that repairs the store after a crash keeps others from reading it.
const maxTries = 8;

/** Resolves when every step that another process had begun before is made. */
export async function awaitSteps(stepLock: KernelLock): Promise<void> {
  await withUserLock("files", () => {}, { also: stepLock });
}
