import { spawn } from "node:child_process";
import { type Child, type ChildParts, watchChild } from "./child.ts";
import { processChannel } from "./child-channel.ts";
import { createChildPool } from "./child-pool.ts";

/**
 * Our own programs in separate processes, for work that has to be stoppable at any moment: native code such as a
 * database engine or a parser ignores the end of a thread, and can take the whole process with it when it crashes.
 */
export interface ChildPrograms<Task, Answer> {
  /** Resolves with the answer. When the signal is aborted, the process is killed, and the reason is thrown once it is gone. */
  ask(task: Task, options: { readonly signal: AbortSignal }): Promise<Answer>;
  close(): Promise<void>;
}

/** The process ended before it answered: it crashed, or used more memory than it may. */
export class ChildCrashed extends Error {
  override readonly name = "ChildCrashed";
}

/** Processes are started when needed, used for one task at a time, and kept for the next. */
export function createChildPrograms<Task, Answer>(file: () => string): ChildPrograms<Task, Answer> {
  const pool = createChildPool<Child>({ maxIdle: 1 });
  const start = () =>
    startProgram(file(), {
      flags: ["--max-old-space-size=256"],
      // The task brings all that the process needs.
      environment: {},
      describe: (end) =>
        end.state === "stopped" ? end.reason : new ChildCrashed("the process ended before it answered"),
    });
  return {
    async ask(task, { signal }) {
      signal.throwIfAborted();
      return pool.use("", start, (child) => child.ask<Answer>("task", task, { signal }));
    },
    close: pool.close,
  };
}

export interface ProgramParts extends Pick<ChildParts, "describe" | "limits" | "unsendable"> {
  /** Of the engine. */
  readonly flags: readonly string[];
  /** Undefined: that of this process. */
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** Takes its output. Default: the output is dropped. */
  readonly onPrinted?: (chunk: Buffer) => void;
}

/** Starts a program that answers its parent (`answerParent`). */
export function startProgram(file: string, parts: ProgramParts): Child {
  const { flags, environment, onPrinted, ...following } = parts;
  const printed = onPrinted ? "pipe" : "ignore";
  const child = spawn(process.execPath, [...flags, file, String(process.pid)], {
    env: environment,
    serialization: "advanced",
    stdio: ["ignore", printed, printed, "ipc"],
    // Leads a group, so that the processes it starts end with it.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) if (onPrinted) stream?.on("data", onPrinted);
  return watchChild(child, { ...following, channel: processChannel(child), leadsGroup: true });
}
