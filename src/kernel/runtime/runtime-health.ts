import { statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { defined } from "../../shared/options/defined.ts";
import type { StoreMaintenance } from "../store/index.ts";

/** Whether a runtime can do its work: `failing` if calls would fail, `degraded` if something is not as it should be. */
export interface RuntimeHealth {
  readonly status: "ok" | "degraded" | "failing";
  readonly store: { readonly isOk: boolean; readonly problem?: string };
  /** The disk with the state folder. */
  readonly disk: { readonly isOk: boolean; readonly freeBytes?: number; readonly problem?: string };
  readonly sandbox: SandboxHealth;
}

export interface SandboxHealth {
  readonly kind: "bubblewrap" | "seatbelt" | "none";
  /** Why there is none. */
  readonly reason?: string;
}

export interface HealthParts {
  readonly store: Pick<StoreMaintenance, "probe">;
  readonly stateFolder: string;
  /** Where the state is, if not on this machine. */
  readonly network?: { readonly found: string } | undefined;
  readonly sandbox: () => Promise<SandboxHealth>;
  /** The sandbox is off because an option says so. */
  readonly isSandboxOff: boolean;
  /** How long the store may take to answer. Default: three seconds. */
  readonly patienceMs?: number;
}

/** Looks at what every call needs. Never rejects. */
export async function readHealth(parts: HealthParts): Promise<RuntimeHealth> {
  const { store, stateFolder, network, sandbox, isSandboxOff, patienceMs = 3000 } = parts;
  const [stored, disk, confined] = await Promise.all([
    lookAtStore(store, patienceMs),
    lookAtDisk(stateFolder, network?.found),
    sandbox().catch((error: Error): SandboxHealth => ({ kind: "none", reason: error.message })),
  ]);
  const { kind, reason } = confined;
  const isUnsandboxed = kind === "none" && !isSandboxOff;
  const isDegraded = isUnsandboxed || disk.problem !== undefined;
  return {
    status: !stored.isOk || !disk.isOk ? "failing" : isDegraded ? "degraded" : "ok",
    store: stored,
    disk,
    sandbox: { kind, ...defined({ reason }) },
  };
}

/**
 * Tries whether the store can be written. Reading would tell nothing, because a process that is suspended as it writes
 * lets others read.
 */
async function lookAtStore(store: HealthParts["store"], patienceMs: number): Promise<RuntimeHealth["store"]> {
  const stopped = new AbortController();
  const tooLate = wait(patienceMs, `it has not answered for ${patienceMs / 1000} s`, {
    ref: false,
    signal: stopped.signal,
  });
  tooLate.catch(() => {});
  try {
    const problem = await Promise.race([store.probe().then(() => undefined), tooLate]);
    return problem === undefined ? { isOk: true } : { isOk: false, problem };
  } catch (error) {
    return { isOk: false, problem: (error as Error).message };
  } finally {
    stopped.abort();
  }
}

// Below this, a single long output may fail to be kept.
const minFreeBytes = 64 * 1024 * 1024;

async function lookAtDisk(folder: string, elsewhere?: string): Promise<RuntimeHealth["disk"]> {
  try {
    const { bavail, bsize, ffree, files } = await statfs(folder);
    const freeBytes = bavail * bsize;
    if (freeBytes < minFreeBytes) return { isOk: false, freeBytes, problem: "the disk is almost full" };
    if (files > 0 && ffree === 0) return { isOk: false, freeBytes, problem: "the disk takes no more files" };
    return { isOk: true, freeBytes, ...defined({ problem: elsewhere }) };
  } catch (error) {
    return { isOk: false, problem: (error as Error).message };
  }
}
