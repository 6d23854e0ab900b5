import { setTimeout as delay } from "node:timers/promises";
import { isRunning, type ProcessIdentity } from "../../../../shared/process-identity.ts";
import { type ListedProcess, mapSome, snapshotProcesses } from "./process-table.ts";

/** The variable by which everything that a command starts is known again, wherever it went. */
export const markerVariable = "TOOLWRIGHT_COMMAND";

/** A command and whatever it started. */
export interface ProcessTree {
  /** Its first process, which leads a group of its own. */
  readonly leader: ProcessIdentity;
  /** The value of the marker variable. */
  readonly marker: string;
  /** The leader is a sandbox around the command: asked to end, it would take the command with it unasked. */
  readonly isWrapped?: boolean;
}

export interface EndTimes {
  /** How long it may take to end by itself when asked. */
  readonly askMs: number;
  /** How long it may take to go when forced. */
  readonly forceMs: number;
}

const usualTimes: EndTimes = { askMs: 5000, forceMs: 2000 };

/**
 * Asks all of it to end, waits, then forces it; resolves when nothing of it is left. Reaches what left the group (`setsid`,
 * `nohup`, a double fork) by its marker and its parents; where the system lists no processes, the group alone. Whether all of it is gone: what hangs in the system itself cannot be ended.
 */
export async function endProcessTree(tree: ProcessTree, times: EndTimes = usualTimes): Promise<boolean> {
  const { leader, marker, isWrapped = false } = tree;
  return endAll({ leader, isWrapped, isMarked: (found) => found === marker, known: new Map() }, times);
}

/** Ends whatever is left of all the commands that were started with this marker. */
export async function endLeftovers(marker: string, times: EndTimes = usualTimes): Promise<boolean> {
  return endAll({ isMarked: (found) => found.startsWith(joinMarker(marker, "")), known: new Map() }, times);
}

/** What one command of an owner carries. */
export function joinMarker(owner: string, command: string): string {
  return `${owner}.${command}`;
}

interface Sought {
  readonly leader?: ProcessIdentity;
  readonly isWrapped?: boolean;
  readonly isMarked: (marker: string) => boolean;
  /** What was found before is still ours when its parents are gone. */
  readonly known: Map<number, string>;
}

async function endAll(sought: Sought, { askMs, forceMs }: EndTimes): Promise<boolean> {
  let isFirst = true;
  const asked = new Map<number, string>();
  const ask = async (all: readonly FoundProcess[]) => {
    const found = sought.isWrapped ? all.filter(({ isMarked }) => isMarked) : all;
    const alive = new Set(found.map(({ pid }) => pid));
    const fresh = found.filter(({ pid, name, parent }) => {
      // Between a fork and the new program, what is asked of a shell's child is lost.
      if (asked.has(pid)) return asked.get(pid) !== name;
      // What one of them starts after it was asked is how it cleans up; what has lost its parent was missed before.
      return isFirst || !alive.has(parent);
    });
    for (const { pid, name } of fresh) asked.set(pid, name);
    const group = isFirst && !sought.isWrapped ? sought.leader : undefined;
    await signalAll(fresh, "SIGTERM", group);
    // One that was stopped takes notice only when it goes on.
    await signalAll(fresh, "SIGCONT", group);
    isFirst = false;
  };
  const force = (found: readonly FoundProcess[]) => signalAll(found, "SIGKILL", sought.leader);
  return (await repeatUntilGone(sought, askMs, ask)) || (await repeatUntilGone(sought, forceMs, force));
}

/** Looks again and again, because what is being ended may start something meanwhile. */
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
  /** It says itself whose it is. */
  readonly isMarked: boolean;
}

async function findProcesses(sought: Sought): Promise<readonly FoundProcess[]> {
  const { leader, known } = sought;
  const snapshot = await snapshotProcesses();
  if (snapshot === undefined) return findGroup(leader);
  const candidates = snapshot.processes.filter(
    (process) => isNewEnough(process, leader) && process.pid !== ownPid,
  );
  const alive = candidates.filter(({ isEnded }) => !isEnded);
  // What has no group belongs to the system itself.
  const marks = await mapSome(alive, async ({ pid, group }) =>
    group === 0 ? undefined : snapshot.variable(pid, markerVariable),
  );
  const ours = new Set<number>();
  const marked = new Set<number>();
  for (const [index, { pid, startedAt }] of alive.entries()) {
    const mark = marks[index];
    if (mark !== undefined && sought.isMarked(mark)) marked.add(pid);
    if (known.get(pid) === startedAt || marked.has(pid)) ours.add(pid);
  }
  // A group keeps its number while anybody is in it: if one member is ours, all of them are.
  const isLeader = ({ pid, startedAt }: ListedProcess) =>
    pid === leader?.pid && startedAt === leader.startedAt;
  const isGroupOurs = candidates.some(
    (process) => isLeader(process) || (process.group === leader?.pid && ours.has(process.pid)),
  );
  for (const { pid, group } of alive) if (isGroupOurs && group === leader?.pid) ours.add(pid);
  addChildren(ours, alive);
  const found = alive
    .filter(({ pid }) => ours.has(pid))
    .map((process) => ({ ...process, isMarked: marked.has(process.pid) }));
  for (const { pid, startedAt } of found) known.set(pid, startedAt);
  return found;
}

const ownPid = process.pid;

/** Nothing that a command started is older than itself. */
function isNewEnough({ startedAt }: ProcessIdentity, leader: ProcessIdentity | undefined): boolean {
  return leader === undefined || leader.startedAt === "" || Number(startedAt) >= Number(leader.startedAt);
}

function addChildren(ours: Set<number>, alive: readonly ListedProcess[]): void {
  for (let before = -1; before < ours.size; ) {
    before = ours.size;
    for (const { pid, parent } of alive) if (ours.has(parent)) ours.add(pid);
  }
}

/** Where processes are not listed: the group, as if it were one process. */
function findGroup(leader: ProcessIdentity | undefined): readonly FoundProcess[] {
  if (leader === undefined || !sendSignal(-leader.pid, 0)) return [];
  return [{ ...leader, name: "", parent: 0, group: leader.pid, isEnded: false, isMarked: true }];
}

/** The group first, in one go: what is outside of it may be what the shell waits for. */
async function signalAll(
  found: readonly ListedProcess[],
  signal: NodeJS.Signals,
  leader: ProcessIdentity | undefined,
): Promise<void> {
  const members = found.filter(({ group }) => group === leader?.pid);
  const isGroupOurs = (await mapSome(members, isRunning)).includes(true);
  if (leader !== undefined && isGroupOurs) sendSignal(-leader.pid, signal);
  await mapSome(
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
