import { setTimeout as delay } from "node:timers/promises";
import { joinMarker, markerVariable, sandboxVariable } from "../../shared/process-environment.ts";
import { isRunning, type ProcessIdentity } from "../../shared/process-identity.ts";
import { type ListedProcess, mapConcurrently, snapshotProcesses } from "./process-table.ts";

/** A command and every process it started. */
export interface ProcessTree {
  /** The first process, which leads its own process group. */
  readonly leader: ProcessIdentity;
  /** The value of the marker variable. */
  readonly marker: string;
  /** Whether the leader is a sandbox: SIGTERM to it would kill the command without letting it clean up. */
  readonly isWrapped?: boolean;
  /** Whether its shell has no trap: then a program that the shell starts after SIGTERM is not cleaning up. */
  readonly isTrapFree?: boolean;
}

// How long to wait after SIGTERM, and after SIGKILL.
const usualAskMs = 5000;
const forceMs = 2000;

/**
 * Sends SIGTERM to the whole tree, waits, then sends SIGKILL. Processes that left the group (`setsid`, `nohup`, a double
 * fork) are found by marker and parent; without `/proc`, only the group is reached. Resolves to whether all are gone: a
 * process stuck in the kernel cannot be ended.
 */
export async function endProcessTree(tree: ProcessTree, { askMs = usualAskMs } = {}): Promise<boolean> {
  const { marker, ...rest } = tree;
  return endAll({ ...rest, isMarked: (found) => found === marker, known: new Map() }, askMs);
}

/** Whether any of its processes is running. */
export async function isTreeRunning({ leader, marker }: ProcessTree): Promise<boolean> {
  const found = await findProcesses({ leader, isMarked: (each) => each === marker, known: new Map() });
  return found.length > 0;
}

/** Ends everything left of the commands that were started with this marker, also those that are about to start. */
export async function endLeftovers(marker: string): Promise<boolean> {
  const isMarked = (found: string) => found.startsWith(joinMarker(marker, ""));
  return endAll({ isMarked, hasSandboxes: true, known: new Map() }, usualAskMs);
}

interface Sought {
  readonly leader?: ProcessIdentity;
  readonly isWrapped?: boolean;
  readonly isTrapFree?: boolean;
  readonly isMarked: (marker: string) => boolean;
  /** Whether the programs that confine commands are sought too. */
  readonly hasSandboxes?: boolean;
  /** Processes found before, pid to start time: they stay ours when their parents are gone. */
  readonly known: Map<number, string>;
}

async function endAll(sought: Sought, askMs: number): Promise<boolean> {
  let isFirst = true;
  let shell: number | undefined;
  const asked = new Map<number, string>();
  const ask = async (all: readonly FoundProcess[]) => {
    const found = all.filter(({ isMarked, isSandbox }) => (sought.isWrapped ? isMarked : !isSandbox));
    // Nothing runs in them yet that could clean up.
    if (found.length === 0 && sought.hasSandboxes) return signalAll(all, "SIGKILL", undefined);
    const alive = new Set(found.map(({ pid }) => pid));
    if (isFirst && sought.isTrapFree) shell = findShell(found, sought);
    const fresh = found.filter(({ pid, name, parent }) => {
      // A signal between a fork and its exec is lost, so a process that has a new name is asked again.
      if (asked.has(pid)) return asked.get(pid) !== name;
      // Children started after the first SIGTERM are part of cleaning up; an orphan was missed before. A shell that gets it
      // while it starts a program waits for that program all the same.
      return isFirst || !alive.has(parent) || parent === shell;
    });
    for (const { pid, name } of fresh) asked.set(pid, name);
    const group = isFirst && !sought.isWrapped ? sought.leader : undefined;
    await signalAll(fresh, "SIGTERM", group);
    await signalAll(
      fresh.filter(({ endsWithTerminal }) => endsWithTerminal),
      "SIGHUP",
      undefined,
    );
    // A stopped process handles SIGTERM only when it continues.
    await signalAll(fresh, "SIGCONT", group);
    isFirst = false;
  };
  const force = (found: readonly FoundProcess[]) => signalAll(found, "SIGKILL", sought.leader);
  return (await repeatUntilGone(sought, askMs, ask)) || (await repeatUntilGone(sought, forceMs, force));
}

/** In a sandbox the first of the marked ones; it ends with its shell. */
function findShell(found: readonly FoundProcess[], { isWrapped, leader }: Sought): number | undefined {
  if (!isWrapped) return leader?.pid;
  return found
    .filter(({ isMarked }) => isMarked)
    .toSorted((left, right) => Number(left.startedAt) - Number(right.startedAt) || left.pid - right.pid)[0]
    ?.pid;
}

/** Repeats, because processes that are being ended may start new ones. */
async function repeatUntilGone(
  sought: Sought,
  limitMs: number,
  act: (found: readonly FoundProcess[]) => Promise<void>,
): Promise<boolean> {
  const endAt = performance.now() + limitMs;
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    const found = await findProcesses(sought);
    if (found.length === 0) return true;
    if (performance.now() >= endAt) return false;
    await act(found);
    await delay(Math.min(waitMs, Math.max(0, endAt - performance.now())));
  }
}

interface FoundProcess extends ListedProcess {
  /** Whether it carries the marker itself. */
  readonly isMarked: boolean;
  /** Whether it confines a command. */
  readonly isSandbox: boolean;
}

async function findProcesses(sought: Sought): Promise<readonly FoundProcess[]> {
  const { leader, known } = sought;
  const snapshot = await snapshotProcesses();
  if (snapshot === undefined) return findGroup(leader);
  const candidates = snapshot.processes.filter(
    (process) => isNewEnough(process, leader) && process.pid !== ownPid,
  );
  const alive = candidates.filter(({ isEnded }) => !isEnded);
  const findWith = async (variable: string): Promise<ReadonlySet<number>> => {
    // Group 0 is the kernel's.
    const marks = await mapConcurrently(alive, async ({ pid, group }) =>
      group === 0 ? undefined : snapshot.variable(pid, variable),
    );
    const isFound = (mark: string | undefined) => mark !== undefined && sought.isMarked(mark);
    return new Set(alive.filter((_, index) => isFound(marks[index])).map(({ pid }) => pid));
  };
  const marked = await findWith(markerVariable);
  const sandboxes = sought.hasSandboxes ? await findWith(sandboxVariable) : new Set<number>();
  const ours = new Set<number>();
  for (const { pid, startedAt } of alive) {
    if (known.get(pid) === startedAt || marked.has(pid) || sandboxes.has(pid)) ours.add(pid);
  }
  // A group's number is not reused while it has members: if one member is ours, all are.
  const isLeader = ({ pid, startedAt }: ListedProcess) =>
    pid === leader?.pid && startedAt === leader.startedAt;
  const isGroupOurs = candidates.some(
    (process) => isLeader(process) || (process.group === leader?.pid && ours.has(process.pid)),
  );
  for (const { pid, group } of alive) if (isGroupOurs && group === leader?.pid) ours.add(pid);
  addChildren(ours, alive);
  const found = alive
    .filter(({ pid }) => ours.has(pid))
    .map((process) => ({
      ...process,
      isMarked: marked.has(process.pid),
      isSandbox: sandboxes.has(process.pid) && !marked.has(process.pid),
    }));
  for (const { pid, startedAt } of found) known.set(pid, startedAt);
  return found;
}

const ownPid = process.pid;

/** A command's processes cannot be older than the command. */
function isNewEnough({ startedAt }: ProcessIdentity, leader: ProcessIdentity | undefined): boolean {
  return leader === undefined || leader.startedAt === "" || Number(startedAt) >= Number(leader.startedAt);
}

function addChildren(ours: Set<number>, alive: readonly ListedProcess[]): void {
  for (let before = -1; before < ours.size; ) {
    before = ours.size;
    for (const { pid, parent } of alive) if (ours.has(parent)) ours.add(pid);
  }
}

/** Without `/proc`, treats the group as one process. */
function findGroup(leader: ProcessIdentity | undefined): readonly FoundProcess[] {
  if (leader === undefined || !sendSignal(-leader.pid, 0)) return [];
  return [
    {
      ...leader,
      name: "",
      parent: 0,
      group: leader.pid,
      isEnded: false,
      endsWithTerminal: false,
      isMarked: true,
      isSandbox: false,
    },
  ];
}

/** Signals the group first and without waiting: the shell may be waiting for a process outside the group. */
async function signalAll(
  found: readonly ListedProcess[],
  signal: NodeJS.Signals,
  leader: ProcessIdentity | undefined,
): Promise<void> {
  const members = found.filter(({ group }) => group === leader?.pid);
  const isGroupOurs = (await mapConcurrently(members, isRunning)).includes(true);
  if (leader !== undefined && isGroupOurs) sendSignal(-leader.pid, signal);
  await mapConcurrently(
    found.filter(({ group }) => group !== leader?.pid),
    async (process) => {
      if (await isRunning(process)) sendSignal(process.pid, signal);
    },
  );
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
