import { type ChildProcess, fork } from "node:child_process";
import { readTreeUse } from "../../machine/child/tree-use.ts";
import { entryFile } from "../../shared/entry-file.ts";
import { describeStray } from "../../shared/stray-rejections.ts";
import type { IsolatedWork } from "../../tool/read-isolated.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { defaultMaxMemoryMb, type IsolatedModule } from "../../tool/traits.ts";
import { answerUse, cannotBeSent, takeReports } from "./answer-use.ts";
import {
  type FromProcess,
  fromSentError,
  type SentOutcome,
  type ToProcess,
  toSentError,
} from "./isolated-messages.ts";

/** A process in which isolated tools of one module run, one call at a time. */
export interface IsolatedProcess {
  call(work: IsolatedWork, context: ToolContext): Promise<unknown>;
  /** Whether it may be used for another call. */
  readonly isUsable: boolean;
  /** Kills it and what it has started, and resolves when it is gone. */
  end(): Promise<void>;
}

type Message<Kind extends FromProcess["kind"]> = Extract<FromProcess, { readonly kind: Kind }>;

const lastWordsMs = 500;
const outOfMemory = "heap out of memory";

/** Starts a process; the module is loaded with the first call. */
export function startIsolated({ maxMemoryMb = defaultMaxMemoryMb }: IsolatedModule): IsolatedProcess {
  const child = fork(mainFile(), [String(process.pid)], {
    execArgv: [...loaderFlags(process.execArgv), `--max-old-space-size=${maxMemoryMb}`],
    // As rich as in one process: typed arrays, dates and maps arrive as what they are.
    serialization: "advanced",
    // What it prints must not end up in a protocol that is spoken on our output.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A group of its own, so that what it starts ends with it.
    detached: true,
  });
  let isUsable = true;
  let reason: unknown;
  let crash: string | undefined;
  let printed = "";
  let isOutOfMemory = false;
  let onMessage: ((message: FromProcess) => void) | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += String(chunk);
      // A long stack trace follows it.
      isOutOfMemory ||= printed.includes(outOfMemory);
      printed = printed.slice(-outOfMemory.length);
      process.stderr.write(chunk);
    });
  }
  child.on("message", (message: FromProcess) => {
    if (message.kind === "crash") crash = message.error.stack ?? message.error.message;
    onMessage?.(message);
  });
  const ended = new Promise<unknown>((resolve) => {
    child.once("error", resolve);
    child.once("exit", (code, signal) => {
      isUsable = false;
      // Whatever it has started goes with it.
      killGroup(child);
      const tell = () => {
        clearTimeout(waiting);
        resolve(
          reason ?? (isOutOfMemory ? tooMuchMemory(maxMemoryMb) : describeEnd({ code, signal, crash })),
        );
      };
      // Its last words, which say why, may not be read yet; what has left its group may keep its output open.
      const waiting = setTimeout(tell, lastWordsMs);
      child.once("close", tell);
    });
  });
  const end = (why: unknown) => {
    isUsable = false;
    reason ??= why;
    killGroup(child);
  };
  const send = (message: ToProcess) => {
    // A process that is gone has ended, and that is handled.
    if (child.connected) child.send(message, () => {});
  };
  hold(child, false);

  const settleUse = async (message: Message<"use">, context: ToolContext, parts: UseParts): Promise<void> => {
    const answer = (outcome: SentOutcome) =>
      send({ kind: "answer", use: message.use, outcome, deadline: context.deadline });
    try {
      const value = await answerUse(context, message, parts);
      try {
        answer({ value });
      } catch (cause) {
        throw cannotBeSent(`what ${message.service}.${message.method} returned`, cause);
      }
    } catch (error) {
      answer({ error: toSentError(error) });
    }
  };

  return {
    get isUsable() {
      return isUsable;
    },
    async call({ place, handler, given, windUpMs }, context) {
      const { signal } = context;
      const result = Promise.withResolvers<unknown>();
      const uses = new Map<number, AbortController>();
      const callbacks = new Map<number, PromiseWithResolvers<unknown>>();
      const callBack = (id: number, value: unknown) => {
        const called = Promise.withResolvers<unknown>();
        const callback = callbacks.size + 1;
        callbacks.set(callback, called);
        send({ kind: "callback", callback, id, given: value });
        return called.promise;
      };
      onMessage = (message) => {
        if (message.kind === "result") {
          takeReports(context, message.reports);
          // A process that has grown is replaced before it meets its limit in the middle of a call.
          if (message.memoryBytes > (maxMemoryMb * 2 ** 20) / 2) isUsable = false;
          if ("error" in message.outcome && message.outcome.error.isAbort) result.reject(signal.reason);
          else settle(result, message.outcome);
        } else if (message.kind === "use") {
          const own = new AbortController();
          uses.set(message.use, own);
          settleUse(message, context, { signal: own.signal, callBack }).finally(() =>
            uses.delete(message.use),
          );
        } else if (message.kind === "withdraw") uses.get(message.use)?.abort();
        else if (message.kind === "called") settle(callbacks.get(message.callback), message.outcome);
        else if (message.kind === "reports") {
          takeReports(context, message);
          send({ kind: "reports-taken" });
        } else if (message.kind === "stray") {
          isUsable = false;
          context.logger.warn(describeStray(place.tool ?? "the tool", fromSentError(message.error)));
        }
      };
      let giveUp: NodeJS.Timeout | undefined;
      const stop = () => {
        if (windUpMs === undefined) return end(signal.reason);
        send({ kind: "abort", reason: toSentError(signal.reason) });
        giveUp = setTimeout(() => end(signal.reason), windUpMs);
      };
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      const stopWatching = watchMemory(child, maxMemoryMb, end);
      hold(child, true);
      try {
        const { module, tool = "" } = place;
        const facts = factsOf(context);
        try {
          send({ kind: "call", module: String(module), tool, handler, given, facts });
        } catch (cause) {
          throw cannotBeSent("the input", cause);
        }
        return await Promise.race([result.promise, ended.then((why) => Promise.reject(why))]);
      } finally {
        stopWatching();
        clearTimeout(giveUp);
        signal.removeEventListener("abort", stop);
        for (const own of uses.values()) own.abort();
        onMessage = undefined;
        hold(child, false);
      }
    },
    async end() {
      end(new ToolError("cancelled", "the tool's process was ended"));
      // Whoever waits for its end may have nothing else to do.
      child.ref();
      await ended;
    },
  };
}

interface UseParts {
  readonly signal: AbortSignal;
  readonly callBack: (id: number, given: unknown) => Promise<unknown>;
}

function settle(waiting: PromiseWithResolvers<unknown> | undefined, outcome: SentOutcome): void {
  if ("error" in outcome) waiting?.reject(fromSentError(outcome.error));
  else waiting?.resolve(outcome.value);
}

function factsOf(context: ToolContext) {
  const { deadline, sessionId, workspace, callId, caller, maxOutputCharacters } = context;
  return {
    ...{ deadline, sessionId, workspace, callId, caller, maxOutputCharacters },
    variables: [...context.variables.entries()],
    taskVariables: [...context.taskVariables.entries()],
  };
}

/** Only a process at work keeps ours alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const streams = [child.stdout, child.stderr] as unknown as { ref(): void; unref(): void }[];
  for (const each of [child, child.channel, ...streams]) {
    if (isHeld) each?.ref();
    else each?.unref();
  }
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // All of it has ended; or the system knows no groups.
    child.kill("SIGKILL");
  }
}

/** The engine's own limit counts objects, not the bytes of buffers. Where there is no /proc, only that limit holds. */
function watchMemory(child: ChildProcess, maxMemoryMb: number, end: (why: unknown) => void): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const { memoryBytes } = await readTreeUse(child.pid ?? 0, maxCountedProcesses);
    if (isOver) return;
    if (memoryBytes > (maxMemoryMb + engineMb) * 2 ** 20) end(tooMuchMemory(maxMemoryMb));
    else timer = setTimeout(look, lookEveryMs);
  };
  timer = setTimeout(look, lookEveryMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function tooMuchMemory(maxMemoryMb: number): ToolError {
  return new ToolError("tool-failed", `the tool was ended: it used more than ${maxMemoryMb} MB of memory`, {
    hint: "Ask it for less at once, or set maxMemoryMb in the tool's trait isolated.",
  });
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly crash: string | undefined;
}

function describeEnd({ code, signal, crash }: End): ToolError {
  const how = crash ?? (signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`);
  return new ToolError("tool-failed", `the tool's process ended: ${how}`);
}

/** What decides how modules are found and read; other options are about this process alone. */
function loaderFlags(flags: readonly string[]): string[] {
  return flags.flatMap((flag, index) => {
    if (!isLoaderFlag(flag)) return [];
    const value = flags[index + 1];
    const isSeparate = !flag.includes("=") && takesValue.test(flag) && value !== undefined;
    return isSeparate ? [flag, value] : [flag];
  });
}

const takesValue = /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C)(?:=|$)/;

function isLoaderFlag(flag: string): boolean {
  return takesValue.test(flag) || flag.startsWith("--experimental-") || flag === "--no-warnings";
}

function mainFile(): string {
  return entryFile(import.meta.url, { source: "isolated-main.ts", built: "isolated" });
}

const maxCountedProcesses = 64;
const lookEveryMs = 100;
// What Node itself takes.
const engineMb = 96;
