import { setTimeout as delay } from "node:timers/promises";
import { isRunning, type ProcessIdentity } from "../../shared/process-identity.ts";
import { type ListedProcess, listProcesses, mapSome, readVariable } from "./process-table.ts";

/** The variable by which everything that a command starts is known again, wherever it went. */
export const markerVariable = "TOOLWRIGHT_COMMAND";

/** A command and whatever it started. */
export interface ProcessTree {
  /** Its first process, which leads a group of its own. */
  readonly leader: ProcessIdentity;
  /** The value of the marker variable. */
  readonly marker: string;
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
 * `nohup`, a double fork) by its marker and its parents; where the system lists no processes, the group alone.
 */
export async function endProcessTree(tree: ProcessTree, times: EndTimes = usualTimes): Promise<void> {
  const { leader, marker } = tree;
  await endAll({ leader, isMarked: (found) => found === marker, known: new Map() }, times);
}

/** Ends whatever is left of all the commands that were started with this marker. */
export async function endLeftovers(marker: string, times: EndTimes = usualTimes): Promise<void> {
  await endAll({ isMarked: (found) => found.startsWith(joinMarker(marker, "")), known: new Map() }, times);
}

/** What one command of an owner carries. */
export function joinMarker(owner: string, command: string): string {
  return `${owner}.${command}`;
}

interface Sought {
  readonly leader?: ProcessIdentity;
  readonly isMarked: (marker: string) => boolean;
  /** What was found before is still ours when its parents are gone. */
  readonly known: Map<number, string>;
}

async function endAll(sought: Sought, { askMs, forceMs }: EndTimes): Promise<void> {
  const asked = new Set<string>();
  const ask = async (found: readonly ListedProcess[]) => {
    const fresh = found.filter(({ pid, startedAt }) => !asked.has(`${pid} ${startedAt}`));
    for (const { pid, startedAt } of fresh) asked.add(`${pid} ${startedAt}`);
    await signalAll(fresh, "SIGTERM", sought);
    // One that was stopped takes notice only when it goes on.
    await signalAll(fresh, "SIGCONT", sought);
  };
  const force = (found: readonly ListedProcess[]) => signalAll(found, "SIGKILL", sought);
  if (!(await repeatUntilGone(sought, askMs, ask))) await repeatUntilGone(sought, forceMs, force);
}

/** Looks again and again, because what is being ended may start something meanwhile. */
async function repeatUntilGone(
  sought: Sought,
  limitMs: number,
  act: (found: readonly ListedProcess[]) => Promise<void>,
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

async function findProcesses(sought: Sought): Promise<readonly ListedProcess[]> {
  const { leader, known } = sought;
  const all = await listProcesses();
  if (all === undefined) return findGroup(leader);
  const candidates = all.filter((process) => isNewEnough(process, leader) && process.pid !== ownPid);
  const alive = candidates.filter(({ isEnded }) => !isEnded);
  const marks = await mapSome(alive, ({ pid }) => readVariable(pid, markerVariable));
  const ours = new Set<number>();
  for (const [index, { pid, startedAt }] of alive.entries()) {
    const mark = marks[index];
    if (known.get(pid) === startedAt || (mark !== undefined && sought.isMarked(mark))) ours.add(pid);
  }
  // A group keeps its number while anybody is in it: if one member is ours, all of them are.
  const isLeader = ({ pid, startedAt }: ListedProcess) =>
    pid === leader?.pid && startedAt === leader.startedAt;
  const isGroupOurs = candidates.some(
    (process) => isLeader(process) || (process.group === leader?.pid && ours.has(process.pid)),
  );
  for (const { pid, group } of alive) if (isGroupOurs && group === leader?.pid) ours.add(pid);
  addChildren(ours, alive);
  const found = alive.filter(({ pid }) => ours.has(pid));
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
function findGroup(leader: ProcessIdentity | undefined): readonly ListedProcess[] {
  if (leader === undefined || !sendSignal(-leader.pid, 0)) return [];
  return [{ ...leader, parent: 0, group: leader.pid, isEnded: false }];
}

async function signalAll(
  found: readonly ListedProcess[],
  signal: NodeJS.Signals,
  { leader }: Sought,
): Promise<void> {
  const isInGroup = ({ group }: ListedProcess) => group === leader?.pid;
  await mapSome(
    found.filter((process) => !isInGroup(process)),
    async (process) => {
      if (await isRunning(process)) sendSignal(process.pid, signal);
    },
  );
  const members = found.filter(isInGroup);
  const isGroupOurs = (await mapSome(members.slice(0, 3), isRunning)).includes(true);
  if (leader !== undefined && isGroupOurs) sendSignal(-leader.pid, signal);
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
