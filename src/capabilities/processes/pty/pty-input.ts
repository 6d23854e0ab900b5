import { readdir, readFile, readlink } from "node:fs/promises";

/**
 * Whether the process, or one it started, is blocked until a key is typed: it reads from the terminal, or waits for the
 * terminal and no socket. Known only on Linux; always false elsewhere.
 */
async function isWaitingForTyping(rootPid: number): Promise<boolean> {
  const terminal = await readlink(`/proc/${rootPid}/fd/0`).catch(() => undefined);
  if (terminal === undefined) return false;
  for (const place of await listTasks(rootPid)) {
    const call = await readBlockingCall(place);
    if (call !== undefined && (await isCallForTyping(call, { place, terminal }))) return true;
  }
  return false;
}

interface TaskPlace {
  readonly process: string;
  readonly task: string;
}

// A job with more threads than this is hardly waiting for a person.
const maxTasks = 256;

async function listTasks(rootPid: number): Promise<TaskPlace[]> {
  const tasks: TaskPlace[] = [];
  const waiting = [String(rootPid)];
  for (const process of waiting) {
    const names = await readdir(`/proc/${process}/task`).catch(() => []);
    for (const task of names) {
      if (tasks.push({ process, task }) >= maxTasks) return tasks;
      const children = await readFile(`/proc/${process}/task/${task}/children`, "utf8").catch(() => "");
      waiting.push(...children.split(" ").filter((child) => child !== ""));
    }
  }
  return tasks;
}

interface BlockingCall {
  readonly kind: "read" | "select" | "epoll";
  /** A descriptor; for `select` the number of them. */
  readonly argument: number;
}

/** Numbers of the system calls that wait for typing, by processor: those used by terminal reads and line editors. */
const callNumbers: Readonly<Record<string, Readonly<Record<string, BlockingCall["kind"]>>>> = {
  x64: { 0: "read", 23: "select", 270: "select", 232: "epoll", 281: "epoll", 441: "epoll" },
  arm64: { 63: "read", 72: "select", 22: "epoll", 441: "epoll" },
};

/** Reads `/proc/…/syscall`: the number of the blocking call, then its arguments in hexadecimal. */
async function readBlockingCall({ process: owner, task }: TaskPlace): Promise<BlockingCall | undefined> {
  const text = await readFile(`/proc/${owner}/task/${task}/syscall`, "utf8").catch(() => "");
  const [number = "", first = ""] = text.split(" ");
  const kind = callNumbers[process.arch]?.[number];
  const argument = Number.parseInt(first, 16);
  return kind === undefined || Number.isNaN(argument) ? undefined : { kind, argument };
}

async function isCallForTyping(
  { kind, argument }: BlockingCall,
  { place, terminal }: { place: TaskPlace; terminal: string },
): Promise<boolean> {
  const targetOf = (descriptor: number) =>
    readlink(`/proc/${place.process}/fd/${descriptor}`).catch(() => undefined);
  const isTerminal = (target: string | undefined) => target === terminal || target === "/dev/tty";
  if (kind === "read") return isTerminal(await targetOf(argument));
  // Line editors select on descriptor 0 alone; with more, it is not visible which ones are waited for.
  if (kind === "select") return argument === 1 && isTerminal(await targetOf(0));
  const watched = await readWatched(place.process, argument);
  const targets = await Promise.all(watched.map(targetOf));
  // A server that also listens for keys is not blocked by them.
  return targets.some(isTerminal) && !targets.some((target) => target?.startsWith("socket:"));
}

const readableEvent = 1;

async function readWatched(owner: string, descriptor: number): Promise<number[]> {
  const text = await readFile(`/proc/${owner}/fdinfo/${descriptor}`, "utf8").catch(() => "");
  const entries = [...text.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)];
  return entries
    .filter(([, , events = ""]) => (Number.parseInt(events, 16) & readableEvent) !== 0)
    .map(([, target]) => Number(target));
}

const lookEveryMs = 250;
// A single look may catch a program reading input that is already there.
const looksToBelieve = 2;

/** Watches whether the programs in a terminal are blocked until a key is typed. */
export function watchInput(pid: number) {
  const listeners: ((isWaiting: boolean) => void)[] = [];
  let looks = 0;
  let isLooking = false;

  const change = (isWaiting: boolean) => {
    for (const listener of listeners) listener(isWaiting);
  };
  /** To be called when something is printed or typed: nothing is blocked then. */
  const noteActivity = () => {
    const wasWaiting = looks >= looksToBelieve;
    looks = 0;
    if (wasWaiting) change(false);
  };
  const look = async () => {
    const before = looks;
    const isBlocked = await isWaitingForTyping(pid);
    // Activity during the look makes its result outdated.
    if (looks !== before) return;
    if (!isBlocked) return noteActivity();
    looks += 1;
    if (looks === looksToBelieve) change(true);
  };
  const timer = setInterval(() => {
    // Without listeners the result has no use.
    if (isLooking || listeners.length === 0) return;
    isLooking = true;
    look().finally(() => {
      isLooking = false;
    });
  }, lookEveryMs).unref();

  return {
    noteActivity,
    onChange: (listener: (isWaiting: boolean) => void): void => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}
