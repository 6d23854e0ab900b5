import type { FileChange, PathState } from "../../../kernel/events/index.ts";
import type { KernelLock } from "../../../machine/locks/index.ts";

/**
 * The steps of a change to files, each written down before it is done, so that a process that finds the change half
 * done after a crash can take it back or complete it.
 */
export interface Intent {
  /** Held for each step by all who share the store, such as processes in containers that have nothing else in common. */
  readonly stepLock?: KernelLock | undefined;
  /** The step that comes next. */
  step(step: IntentStep): void;
  /** The changes that a step which moves whole folders amounts to; those of other steps are known from the step. */
  plan(changes: readonly FileChange[]): void;
  /** A path that only this change knows of, to be removed in the end. Steps in it are not written down. */
  scratch(path: string): void;
  /** The next step completes the change: once it is done, nothing is taken back any more. */
  last(): void;
  /** A step failed before it was noted, or was noted and not done; then the plan for it does not come true either. */
  missed(isNoted: boolean): void;
  /** The change is complete; only its scratch paths are still to be removed. */
  complete(cleanUp?: () => Promise<void>): Promise<void>;
  /** Nothing is left to be done, whether the change was made or taken back. */
  end(): void;
}

/** Paths are canonical. `id` tells a file or folder from any other: its device and inode. */
export type IntentStep =
  /** Fills a temporary file beside the path. */
  | { readonly kind: "put"; readonly path: string; readonly temporary: string; readonly before: PathState }
  /** Gives the temporary file its name. */
  | { readonly kind: "ready"; readonly path: string; readonly after: PathState; readonly id: string }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "mode"; readonly path: string; readonly before: number; readonly after: number }
  | { readonly kind: "remove"; readonly path: string; readonly before: PathState }
  /** `before`: the entry at `to`. */
  | {
      readonly kind: "rename";
      readonly from: string;
      readonly to: string;
      readonly id: string;
      readonly before: PathState;
    };

/** For changes that never have to be taken back, such as those of a preview. */
export const noIntent: Intent = {
  step: () => {},
  plan: () => {},
  scratch: () => {},
  last: () => {},
  missed: () => {},
  complete: async (cleanUp) => cleanUp?.(),
  end: () => {},
};

/** A change that is part of a larger one, which alone knows when it is complete, and cleans up then. */
export function partOf(intent: Intent, later: (() => Promise<void>)[]): Intent {
  const complete: Intent["complete"] = async (cleanUp) => {
    if (cleanUp !== undefined) later.push(cleanUp);
  };
  return { ...intent, last: () => {}, complete, end: () => {} };
}
