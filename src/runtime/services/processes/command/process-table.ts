import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessIdentity } from "../../../../shared/process-identity.ts";

/** A process as the system lists it. */
export interface ListedProcess extends ProcessIdentity {
  /** Of its program. */
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  /** Over, and waiting for its parent to notice. */
  readonly isEnded: boolean;
}

/** What was seen in one look at all processes. */
export interface ProcessSnapshot {
  readonly processes: readonly ListedProcess[];
  /** Reads a process's environment at most once, however many ask for it. */
  variable(pid: number, name: string): Promise<string | undefined>;
}

let running: Promise<ProcessSnapshot | undefined> | undefined;
let next: Promise<ProcessSnapshot | undefined> | undefined;

/**
 * Looks at every process there is; undefined where the system does not tell. However many ask at the same time, they share
 * one look that begins after they have asked: ending a hundred commands at once must not take a hundred times as long.
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
  const read = new Map<string, Promise<string | undefined>>();
  return {
    processes,
    variable(pid, name) {
      const key = `${pid} ${name}`;
      const value = read.get(key) ?? readProcessVariable(pid, name);
      read.set(key, value);
      return value;
    },
  };
}

async function listProcesses(): Promise<readonly ListedProcess[] | undefined> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  if (pids.length === 0) return undefined;
  const listed = await mapSome(pids, readProcess);
  return listed.filter((process) => process !== undefined);
}

/** The value of a variable in the environment a process was started with; undefined where it has none, or is not ours. */
export async function readProcessVariable(pid: number, name: string): Promise<string | undefined> {
  const environment = await readEnvironment(pid);
  const start = `\0${environment}`.indexOf(`\0${name}=`);
  if (start === -1) return undefined;
  const end = environment.indexOf("\0", start);
  return environment.slice(start + name.length + 1, end === -1 ? undefined : end);
}

/** Between one program and the next a process has none for a moment, and must not be taken for somebody else's. */
async function readEnvironment(pid: number): Promise<string> {
  for (let waitMs = 1; ; waitMs *= 2) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => undefined);
    if (environment !== "" || waitMs > maxWaitMs) return environment ?? "";
    await delay(waitMs);
  }
}

// Longer than a busy machine keeps a process in between.
const maxWaitMs = 32;

async function readProcess(pid: number): Promise<ListedProcess | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  if (line === undefined) return undefined;
  // The name may hold anything, even a bracket; the fields are counted behind it.
  const nameEnd = line.lastIndexOf(")");
  const name = line.slice(line.indexOf("(") + 1, nameEnd);
  const fields = line.slice(nameEnd + 2).split(" ");
  const [state, parent, group] = fields;
  const startedAt = fields[19] ?? "";
  return {
    pid,
    name,
    parent: Number(parent),
    group: Number(group),
    startedAt,
    isEnded: state === "Z" || state === "X",
  };
}

// More at once would only queue up, and hold up everybody else's files.
const atOnce = 16;

/** In order of the items; a few at a time. */
export async function mapSome<Item, Result>(
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
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
