import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Deadline, DeadlineReached } from "../../../shared/deadline.ts";
import { ToolError } from "../../../tool/tool-error.ts";

export interface ReadinessRequest {
  /** On this machine. */
  readonly port?: number;
  /** Matched against each line of the output, including earlier ones. With a port too, the first of the two counts. */
  readonly pattern?: string;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** How a wait ended. */
export type WaitResult =
  | { readonly status: "ready"; readonly by: "port"; readonly elapsedMs: number }
  | { readonly status: "ready"; readonly by: "line"; readonly line: string; readonly elapsedMs: number }
  /** `ended`: the job ended first; `timed-out`: the wait is over but the job keeps running. */
  | { readonly status: "ended" | "timed-out"; readonly elapsedMs: number };

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
  const began = performance.now();
  const deadline = new Deadline(request.signal);
  deadline.start(request.deadlineMs);
  // Aborted however the wait ends.
  const looking = new AbortController();
  try {
    const answer = await deadline.race(look(job, request, looking.signal));
    return { ...answer, elapsedMs: elapsedSince(began) };
  } catch (error) {
    if (error instanceof DeadlineReached) return { status: "timed-out", elapsedMs: elapsedSince(began) };
    throw error;
  } finally {
    deadline.close();
    looking.abort();
  }
}

/** Describes the result of a wait. */
export function describeWait(
  result: WaitResult,
  { port, deadlineMs }: ReadinessRequest,
): { isReady: boolean; reason: string } {
  if (result.status === "ready") {
    return {
      isReady: true,
      reason: result.by === "port" ? `port ${port} is open` : `it printed: ${result.line}`,
    };
  }
  const reason =
    result.status === "ended" ? "it ended before it was ready" : `it was not ready within ${deadlineMs} ms`;
  return { isReady: false, reason };
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

/** A result without its elapsed time, which is added in one place. */
type Answer = WaitResult extends infer Each
  ? Each extends unknown
    ? Omit<Each, "elapsedMs">
    : never
  : never;

async function look(
  job: ReadinessSource,
  { port, pattern }: ReadinessRequest,
  signal: AbortSignal,
): Promise<Answer> {
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
      if (found.line !== undefined) return { status: "ready", by: "line", line: found.line };
      cursor = found.cursor;
    }
    if (port !== undefined && (await isPortOpen(port, signal))) return { status: "ready", by: "port" };
    if (isLastLook) return { status: "ended" };
    await Promise.race([end, pause(delayMs, undefined, { signal })]);
  }
}

const minDelayMs = 20;
const maxDelayMs = 250;

function elapsedSince(began: number): number {
  return Math.round(performance.now() - began);
}

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
