import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Deadline, DeadlineReached } from "../../../shared/deadline.ts";
import type { Readiness, ReadyCondition } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** The pattern is matched against earlier lines too. With a port as well, the first of the two counts. */
export interface ReadinessRequest extends ReadyCondition {
  readonly signal?: AbortSignal;
}

type WaitResult = Pick<Readiness, "isReady" | "reason">;

export interface ReadinessSource {
  readonly ended: Promise<unknown>;
  /** The first matching line, and where to search on. */
  findLine(pattern: string, from: { cursor: number; signal: AbortSignal }): Promise<LineFinding>;
}

export interface LineFinding {
  readonly line?: string;
  readonly cursor: number;
}

/** Waits until a job is ready. Rejects if the caller's signal aborts. */
export async function waitUntilReady(job: ReadinessSource, request: ReadinessRequest): Promise<WaitResult> {
  checkRequest(request);
  const deadline = new Deadline(request.signal);
  deadline.start(request.deadlineMs);
  // Aborted however the wait ends.
  const looking = new AbortController();
  try {
    return await deadline.race(look(job, request, looking.signal));
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error;
    return { isReady: false, reason: `it was not ready within ${request.deadlineMs} ms` };
  } finally {
    deadline.close();
    looking.abort();
  }
}

function checkRequest({ port, pattern, deadlineMs }: ReadinessRequest): void {
  if (port === undefined && pattern === undefined) {
    throw new ToolError("invalid-input", "neither a port nor a pattern to wait for was given");
  }
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new ToolError("invalid-input", `${port} is not a port; use a whole number from 1 to 65535`);
  }
  if (!(deadlineMs > 0)) throw new ToolError("invalid-input", "deadlineMs must be above 0");
}

async function look(
  job: ReadinessSource,
  { port, pattern }: ReadinessRequest,
  signal: AbortSignal,
): Promise<WaitResult> {
  let hasEnded = false;
  const end = job.ended.then(() => {
    hasEnded = true;
  });
  let cursor = 0;
  for (let delayMs = minDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    // Output printed just before the end counts too, so there is one last look after it.
    const isLastLook = hasEnded;
    if (pattern !== undefined) {
      const found = await job.findLine(pattern, { cursor, signal });
      if (found.line !== undefined) return { isReady: true, reason: `it printed: ${found.line}` };
      cursor = found.cursor;
    }
    if (port !== undefined && (await isPortOpen(port, signal)))
      return { isReady: true, reason: `port ${port} is open` };
    if (isLastLook) return { isReady: false, reason: "it ended before it was ready" };
    await Promise.race([end, pause(delayMs, undefined, { signal })]);
  }
}

const minDelayMs = 20;
const maxDelayMs = 250;

/** Whether something on this machine accepts connections on the port, over IPv4 or IPv6. */
async function isPortOpen(port: number, signal: AbortSignal): Promise<boolean> {
  const answers = await Promise.all(loopbacks.map((host) => canConnect(host, { port, signal })));
  return answers.includes(true);
}

const loopbacks = ["127.0.0.1", "::1"];
const maxConnectMs = 1000;

function canConnect(host: string, { port, signal }: { port: number; signal: AbortSignal }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal, timeout: maxConnectMs });
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => answer(true));
    socket.once("timeout", () => answer(false));
    socket.on("error", () => answer(false));
  });
}
