import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { entryFile } from "../../../shared/entry-file.ts";
import { bareEnvironment } from "../../../shared/process-environment.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { parseAnswer, type SupervisorOrder } from "./supervisor-order.ts";

export interface StartedSupervisor {
  readonly identity: ProcessIdentity;
  /** Resolves when the supervisor has ended. */
  readonly gone: Promise<unknown>;
}

/** Starts a job under a supervisor, detached, so that the end of this process does not end the job. */
export async function startSupervisor(
  order: SupervisorOrder,
  descriptors: readonly number[],
): Promise<StartedSupervisor> {
  const child = spawn(process.execPath, [...smallHeap, supervisorFile], {
    detached: true,
    cwd: "/",
    env: bareEnvironment,
    stdio: ["pipe", "pipe", "ignore", "ignore", ...descriptors],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
  const { stdin, stdout } = child as ChildProcessByStdio<Writable, Readable, null>;
  const deadline = setTimeout(() => child.kill("SIGTERM"), maxStartMs);
  try {
    stdin.on("error", () => {}).end(JSON.stringify(order));
    const answer = parseAnswer(await text(stdout));
    if ("failure" in answer) throw cannotStart(answer.failure);
    child.unref();
    return { identity: answer.identity, gone };
  } catch (error) {
    child.kill("SIGTERM");
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

const supervisorFile = entryFile(import.meta.url, { source: "supervisor-main.ts", built: "supervisor" });

// It only moves bytes from a pipe to a file, and there may be many supervisors.
const smallHeap = ["--max-old-space-size=32", "--max-semi-space-size=1", "--v8-pool-size=1"];
const maxStartMs = 30_000;

function cannotStart(reason: string): ToolError {
  return new ToolError("unavailable", `the job could not be started: ${reason}`);
}
