import { readFile } from "node:fs/promises";

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system counts; empty where the system does not tell. */
  readonly startedAt: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startedAt: await startOf("self") };
}

export async function identityOf(pid: number): Promise<ProcessIdentity> {
  return { pid, startedAt: await startOf(String(pid)) };
}

export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It is there, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return (await startOf(String(pid))) === startedAt;
}

/** Field 22 of the process's state on Linux; the name before it may hold anything, so fields are counted behind it. */
async function startOf(process: string): Promise<string> {
  try {
    const state = await readFile(`/proc/${process}/stat`, "utf8");
    return state.slice(state.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
