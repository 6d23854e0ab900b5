import { readdir, readFile } from "node:fs/promises";
import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessIdentity } from "../../shared/process-identity.ts";

/** A process as listed in `/proc`. */
export interface ListedProcess extends ProcessIdentity {
  /** Name of its program. */
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  /** A zombie: it has ended, and its parent has not noticed yet. */
  readonly isEnded: boolean;
  /** As an interactive shell does: it ignores SIGTERM, and ends when its terminal is closed, which SIGHUP says. */
  readonly endsWithTerminal: boolean;
}

/** All processes at one moment. */
export interface ProcessSnapshot {
  readonly processes: readonly ListedProcess[];
  /** A variable of a process's environment, which is read at most once per snapshot. */
  variable(pid: number, name: string): Promise<string | undefined>;
}

const { SIGTERM, SIGHUP } = constants.signals;

let running: Promise<ProcessSnapshot | undefined> | undefined;
let next: Promise<ProcessSnapshot | undefined> | undefined;

/**
 * Lists every process; undefined if the system has no `/proc`. Concurrent callers share one snapshot that is taken after
 * they asked, so that ending a hundred commands at once does not take a hundred times as long.
 */
export function snapshotProcesses(): Promise<ProcessSnapshot | undefined> {
  if (running === undefined) return beginSnapshot();
  next ??= running.then(() => {
    next = undefined;
    return beginSnapshot();
  });
  return next;
}

function beginSnapshot(): Promise<ProcessSnapshot | undefined> {
  const snapshot = look().finally(() => {
    if (running === snapshot) running = undefined;
  });
  running = snapshot;
  return snapshot;
}

async function look(): Promise<ProcessSnapshot | undefined> {
  const processes = await listProcesses();
  if (processes === undefined) return undefined;
  const read = new Map<number, Promise<string>>();
  return {
    processes,
    async variable(pid, name) {
      const environment = read.get(pid) ?? readEnvironment(pid);
      read.set(pid, environment);
      return findVariable(await environment, name);
    },
  };
}

async function listProcesses(): Promise<readonly ListedProcess[] | undefined> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  if (pids.length === 0) return undefined;
  const listed = await mapConcurrently(pids, readProcess);
  return listed.filter((process) => process !== undefined);
}

/** A variable in the environment a process was started with; undefined if it is not set or may not be read. */
export async function readProcessVariable(pid: number, name: string): Promise<string | undefined> {
  return findVariable(await readEnvironment(pid), name);
}

function findVariable(environment: string, name: string): string | undefined {
  const start = `\0${environment}`.indexOf(`\0${name}=`);
  if (start === -1) return undefined;
  const end = environment.indexOf("\0", start);
  return environment.slice(start + name.length + 1, end === -1 ? undefined : end);
}

/** Retries while empty: during an exec, a process of ours has no environment for a moment. */
async function readEnvironment(pid: number): Promise<string> {
  for (let waitMs = 1; ; waitMs *= 2) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => undefined);
    if (environment !== "" || waitMs > maxWaitMs) return environment ?? "";
    await delay(waitMs);
  }
}

// Longer than an exec takes on a busy machine.
const maxWaitMs = 32;

async function readProcess(pid: number): Promise<ListedProcess | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  if (line === undefined) return undefined;
  // The name may contain anything, even a bracket, so fields are counted after the last bracket.
  const nameEnd = line.lastIndexOf(")");
  const name = line.slice(line.indexOf("(") + 1, nameEnd);
  const fields = line.slice(nameEnd + 2).split(" ");
  const [state, parent, group, , terminal] = fields;
  const [startedAt = "", ignored = ""] = [fields[19], fields[30]];
  const ignores = (signal: number) => (Number(ignored) & (1 << (signal - 1))) !== 0;
  return {
    pid,
    name,
    parent: Number(parent),
    group: Number(group),
    startedAt,
    isEnded: state === "Z" || state === "X",
    endsWithTerminal: terminal !== "0" && ignores(SIGTERM) && !ignores(SIGHUP),
  };
}

// More at once would only fill the thread pool's queue and delay all other file access.
const maxConcurrent = 16;

/** Maps a few items at a time; results are in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, worker));
  return results;
}
