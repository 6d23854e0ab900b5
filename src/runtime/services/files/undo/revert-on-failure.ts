import { ToolError } from "../../../../tool/tool-error.ts";

/** Steps that are taken back, the last one first, if a later one fails. */
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

/** What somebody else has changed meanwhile stays as it is now; the rest is still taken back. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof ToolError && error.code === "conflict")) throw error;
}
