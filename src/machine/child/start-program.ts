import { spawn } from "node:child_process";
import { type Child, type ChildParts, watchChild } from "./child.ts";
import { processChannel } from "./child-channel.ts";

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
