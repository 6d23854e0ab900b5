import { ToolError } from "../../../tool/tool-error.ts";

/** If a step fails, the steps before it are reverted, the last one first. */
export interface Undoing {
  step(make: () => Promise<unknown>, takeBack: () => Promise<unknown>): Promise<void>;
}

export async function revertOnFailure(work: (undoing: Undoing) => Promise<void>): Promise<void> {
  const done: (() => Promise<unknown>)[] = [];
  const step: Undoing["step"] = async (make, takeBack) => {
    await make();
    done.push(takeBack);
  };
  try {
    await work({ step });
  } catch (error) {
    for (const takeBack of done.reverse()) await takeBack().catch(unlessConflict);
    throw error;
  }
}

/** A path that another process changed meanwhile is left alone; the others are still reverted. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof ToolError && ["conflict", "stale-file"].includes(error.code))) throw error;
}
