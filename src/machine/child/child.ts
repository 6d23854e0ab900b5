import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { signalGroup } from "../../shared/programs/signal-group.ts";
import type { ChildChannel } from "./child-channel.ts";
import { type AnswerParty, connectPeer, type PeerParts } from "./peer.ts";

/** A process for code that must be stoppable at any moment, with everything that it starts. It answers one question at a time. */
export type Child = ReturnType<typeof watchChild>;

export interface ChildQuestion {
  readonly signal: AbortSignal;
  /** How long the process may go on after it has been told of the signal. Default: it is killed at once. */
  readonly windUpMs?: number | undefined;
  /** Takes the questions and messages of the process in the meantime. */
  readonly answer?: AnswerParty | undefined;
}

export type ChildEnd =
  /** The signal of a question stopped it. */
  | { readonly state: "stopped"; readonly reason: unknown }
  | { readonly state: "ended" }
  | { readonly state: "over"; readonly limit: "memory" | "processes" | "output" }
  /** It sent a message that no honest program sends. */
  | { readonly state: "misbehaved" }
  | { readonly state: "exited"; readonly code: number }
  | { readonly state: "killed"; readonly signal: string }
  | { readonly state: "unstarted"; readonly error: Error };

export interface ChildParts extends Partial<Pick<PeerParts, "errors" | "unsendable">> {
  /** The way of messages to the process; absent if it never gets a question. */
  readonly channel?: ChildChannel | undefined;
  readonly limits?: UseLimits | undefined;
  /** The error for those who wait for an answer. */
  readonly describe: (end: ChildEnd) => unknown;
  /** Judges the messages of code that may want harm: one that may not be sent ends the process. */
  readonly judge?: (message: object) => boolean;
  /** It leads a group, so that the processes it starts end with it. */
  readonly leadsGroup?: boolean;
  /** Clears up behind it, and may know better how it ended. */
  readonly finish?: () => Promise<ChildEnd | undefined>;
}

/** Follows a process that has just been started. */
export function watchChild(child: ChildProcess, parts: ChildParts) {
  const { channel, limits, describe, judge, leadsGroup = false, finish } = parts;
  let isUsable = true;
  let answer: AnswerParty | undefined;
  let stopped: ChildEnd | undefined;
  const kill = () => {
    isUsable = false;
    if (leadsGroup) signalGroup(child.pid);
    child.kill("SIGKILL");
  };
  /** Kills the process and those it has started; `end` says why. */
  const stop = (end: ChildEnd) => {
    stopped ??= end;
    kill();
  };
  const peer = connectPeer({
    ...parts,
    send: (message) => channel?.send(message),
    answer: (...asked) => answer?.(...asked),
  });
  /** After a message that no honest program sends, the others are not read. */
  const onBroken = (end: ChildEnd) => {
    channel?.close();
    stop(end);
  };
  channel?.listen({
    onBroken,
    onMessage(message) {
      // A question after its answer belongs to no call.
      const isExpected = peer.isWaiting && (judge?.(message) ?? true) && peer.receive(message);
      if (!isExpected && judge !== undefined) onBroken({ state: "misbehaved" });
    },
  });
  const ended = whenEnded(child, kill).then(async (how) => {
    const known = await finish?.().catch(() => undefined);
    const end = stopped ?? known ?? how;
    channel?.close();
    peer.close(describe(end));
    return end;
  });
  // It may be gone before it has read everything.
  for (const stream of child.stdio) stream?.on("error", () => {});
  hold(child, false);

  /**
   * Waits for work of the process: meanwhile its limits count, the signal stops it, and it keeps this process alive.
   */
  const during = async <Result>(
    work: () => Promise<Result>,
    { signal, windUpMs }: Omit<ChildQuestion, "answer">,
  ): Promise<Result> => {
    let patience: NodeJS.Timeout | undefined;
    const stopNow = () => stop({ state: "stopped", reason: signal.reason });
    const onAbort = () => {
      if (windUpMs === undefined) stopNow();
      else patience = setTimeout(stopNow, windUpMs);
    };
    const stopWatching =
      limits && watchUse(child.pid ?? 0, limits, (limit) => stop({ state: "over", limit }));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    hold(child, true);
    try {
      return await work();
    } finally {
      stopWatching?.();
      clearTimeout(patience);
      signal.removeEventListener("abort", onAbort);
      hold(child, false);
    }
  };

  return {
    /** Whether the process can take another question. */
    get isUsable() {
      return isUsable;
    },
    /** Resolves when the process and all that it started are gone. */
    ended,
    during,
    /** Sends further questions and messages while the process works on one. */
    peer,
    stop,
    /** Asks the process a question; `during` covers the time until its answer. */
    async ask<Answer>(
      name: string,
      given: unknown,
      { answer: party, ...question }: ChildQuestion,
    ): Promise<Answer> {
      const { signal, windUpMs } = question;
      answer = party;
      const patiently = { signal: windUpMs === undefined ? undefined : signal, isPatient: true };
      try {
        return (await during(() => peer.ask(name, given, patiently), question)) as Answer;
      } finally {
        answer = undefined;
        peer.drop();
      }
    },
    /** Ends the process after its present work, instead of using it again. */
    retire() {
      isUsable = false;
    },
    /** Kills them because they are not needed any more, and resolves when all of them are gone. */
    async end(): Promise<void> {
      stop({ state: "ended" });
      // Its caller may have nothing else to do.
      child.ref();
      await ended;
    },
  };
}

function whenEnded(child: ChildProcess, onExit: () => void): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ state: "unstarted", error }));
    child.once("exit", (code, signal) => {
      // The processes that it has started end with it.
      onExit();
      const tell = () => {
        clearTimeout(waiting);
        resolve(signal === null ? { state: "exited", code: code ?? 0 } : { state: "killed", signal });
      };
      // Its last words, which say why, may not be read yet; a process that has left its group may keep its output open.
      const waiting = setTimeout(tell, lastWordsMs);
      child.once("close", tell);
    });
  });
}

const lastWordsMs = 500;

/** Lets a child at work keep this process alive, and an idle one not. */
function hold(child: ChildProcess, isHeld: boolean): void {
  // A stream that is closed would wait to be connected again.
  const streams = child.stdio.filter(
    (stream) => stream?.destroyed === false,
  ) as unknown as NodeJS.RefCounted[];
  for (const each of [child, child.channel, ...streams]) {
    if (isHeld) each?.ref?.();
    else each?.unref?.();
  }
}

/** The most that a process and everything that it starts may use together. */
interface UseLimits {
  readonly maxMemoryBytes: number;
  readonly maxProcesses?: number;
  readonly lookEveryMs: number;
}

/** Counts what a process uses until the returned function is called. Where there is no /proc, it finds nothing. */
function watchUse(
  pid: number,
  { maxMemoryBytes, maxProcesses = Number.POSITIVE_INFINITY, lookEveryMs }: UseLimits,
  onExcess: (limit: "memory" | "processes") => void,
): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const { processes, memoryBytes } = await readTreeUse(pid, Math.min(maxProcesses, maxCounted));
    if (isOver) return;
    if (processes > maxProcesses) onExcess("processes");
    else if (memoryBytes > maxMemoryBytes) onExcess("memory");
    else timer = setTimeout(look, lookEveryMs);
  };
  timer = setTimeout(look, lookEveryMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

const maxCounted = 64;

/** Counts what a process and everything it has started use now; it stops beyond `maxProcesses`. */
async function readTreeUse(
  pid: number,
  maxProcesses: number,
): Promise<{ processes: number; memoryBytes: number }> {
  let memoryBytes = 0;
  const found = [pid];
  for (let index = 0; index < found.length && found.length <= maxProcesses; index++) {
    const each = found[index]!;
    const [children, pages] = await Promise.all([
      readFile(`/proc/${each}/task/${each}/children`, "utf8").catch(() => ""),
      readFile(`/proc/${each}/statm`, "utf8").catch(() => ""),
    ]);
    memoryBytes += Number(pages.split(" ")[1] ?? 0) * pageBytes;
    for (const id of children.split(" ")) if (id !== "") found.push(Number(id));
  }
  return { processes: found.length, memoryBytes };
}

// Larger pages, as some ARM kernels have, make the count too low; the limits that the kernel enforces hold all the same.
const pageBytes = 4096;
