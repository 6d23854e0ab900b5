import type { ProcessLives } from "../../machine/locks/index.ts";
import { isRunning, ownIdentity, type ProcessIdentity } from "../../shared/process-identity.ts";

/** A process that uses a store, as it is recorded there. */
export interface ProcessLife extends ProcessIdentity {
  /** The name by which other processes that use the store can tell whether this one is alive. Older records have none. */
  readonly life?: string;
}

export async function ownLifeIn({ lives }: WithLives): Promise<ProcessLife> {
  return { ...(await ownIdentity()), life: lives.own };
}

export async function isAliveIn({ lives }: WithLives, process: ProcessLife): Promise<boolean> {
  return process.life === undefined ? isRunning(process) : lives.isAlive(process.life);
}

/** A store. */
interface WithLives {
  readonly lives: Pick<ProcessLives, "own" | "isAlive">;
}
