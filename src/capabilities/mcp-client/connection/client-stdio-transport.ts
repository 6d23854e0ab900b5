import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { endProcessTree, type ProcessTree } from "../../../machine/child/index.ts";
import { errorAnswer } from "../../../shared/json-rpc/error-answer.ts";
import { answerLimits, findJsonExcess } from "../../../shared/json-rpc/find-json-excess.ts";
import { createMessageLines } from "../../../shared/json-rpc/message-lines.ts";
import { createMessagePace } from "../../../shared/json-rpc/message-pace.ts";
import { newId } from "../../../shared/new-id.ts";
import { markerVariable } from "../../../shared/process-environment.ts";
import { identityOf, type ProcessIdentity } from "../../../shared/process-identity.ts";
import { cleanText } from "../../../shared/text/clean-text.ts";
import { untilDrained } from "../../../shared/web/until-drained.ts";
import type { ClientSdk } from "./load-client-sdk.ts";

export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
}

/**
 * MCP with a program that we start. Unlike the SDK's transport, this one ends the program with all its child processes,
 * survives an answer that is too long, and starts the program only once.
 */
export interface ClientStdioTransport extends Transport {
  readonly pid: number | undefined;
  /** `pid` and `stderr` tell the SDK that this is a program. */
  readonly stderr: null;
  /** Says why we ended the program, or how it ended by itself, and gives the end of its stderr. */
  lastWords(): string;
}

export function createClientStdioTransport(
  launch: StdioLaunch,
  { sdk, onBytes }: { sdk: ClientSdk; onBytes: (bytes: number) => void },
): ClientStdioTransport {
  const marker = newId("mcp");
  let child: ChildProcessWithoutNullStreams | undefined;
  let leader: Promise<ProcessIdentity> | undefined;
  let ending: Promise<void> | undefined;
  let isEnding = false;
  let isClosed = false;
  let complaints = "";
  let failure = "";
  let draining: Promise<void> | undefined;
  let waitingAnswers = 0;

  const noteClosed = () => {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const fail = (message: string) => {
    if (isEnding) return;
    failure = message;
    transport.onerror?.(new Error(message));
    void transport.close();
  };
  const reader = createPacedReader(sdk, {
    // The output of a program that is ended is dropped, so that it does not wait for us.
    pause: () => void (isEnding || child?.stdout.pause()),
    resume: () => void child?.stdout.resume(),
    isOver: () => isEnding,
    onMessage(message) {
      // The SDK handles progress a moment later, and would drop it if the call's answer were delivered first.
      if ("method" in message) transport.onmessage?.(message);
      else queueMicrotask(() => transport.onmessage?.(message));
    },
    onTrouble: fail,
  });

  /**
   * Stops reading from a server that keeps asking but takes no answers. Some answers may wait, because a server that is
   * busy writing reads again only after we have read its output.
   */
  const answerTaken = async (taken: Promise<void>) => {
    waitingAnswers += 1;
    if (waitingAnswers === maxWaitingAnswers) {
      const resume = reader.pause();
      const giveUp = setTimeout(() => fail("it does not read our answers"), maxStallMs).unref();
      void taken.then(() => {
        clearTimeout(giveUp);
        resume();
      });
    }
    await taken;
    waitingAnswers -= 1;
  };

  const transport: ClientStdioTransport = {
    stderr: null,
    get pid() {
      return child?.pid;
    },
    lastWords: () =>
      [failure || describeExit(child), describeComplaints(complaints)].filter(Boolean).join("; "),
    async start() {
      child = startProgram(launch, marker);
      child.on("close", noteClosed);
      for (const each of [child, child.stdin, child.stdout, child.stderr]) each.on("error", () => {});
      child.stdout.on("data", (chunk: Buffer) => {
        if (isEnding || isClosed) return;
        onBytes(chunk.length);
        reader.read(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => {
        complaints = (complaints + chunk.toString("utf8")).slice(-maxComplaintCharacters);
      });
      await started(child, launch.command);
      // Read immediately: after the program ends, its pid may be reused.
      leader = identityOf(child.pid!);
      // Its child processes may keep its output open long after it has ended.
      child.on("exit", () => setTimeout(noteClosed, lastWordsMs).unref());
    },
    async send(message) {
      if (child === undefined || isClosed || !child.stdin.writable) throw new Error("it is not running");
      if ("method" in message && "id" in message) reader.ask();
      if (child.stdin.write(sdk.serializeMessage(message))) return;
      draining ??= untilDrained(child.stdin, child).finally(() => {
        draining = undefined;
      });
      if ("method" in message) await draining;
      else await answerTaken(draining);
    },
    async close() {
      isEnding = true;
      child?.stdout.resume();
      if (child !== undefined && leader !== undefined) ending ??= endProgram(child, { leader, marker });
      await ending;
      noteClosed();
    },
  };
  return transport;
}

interface ReaderUse {
  /** Whether the reader drops all further lines. */
  isOver(): boolean;
  pause(): void;
  resume(): void;
  onMessage(message: JSONRPCMessage): void;
  onTrouble(message: string): void;
}

/** Reads messages from a program's output, no faster than `createMessagePace` allows and none that is too long. */
function createPacedReader(sdk: ClientSdk, { isOver, pause, resume, onMessage, onTrouble }: ReaderUse) {
  const pace = createMessagePace();
  let garbageLines = 0;
  let linesRead = 0;
  let unfinishedBytes = 0;
  let pauses = 0;
  const endLine = () => {
    linesRead += 1;
    unfinishedBytes = 0;
  };
  const lines = createMessageLines(maxMessageBytes, {
    onLine(line) {
      endLine();
      if (isOver() || line.trim() === "") return;
      const message = readMessage(line, sdk) ?? unreadable(line);
      if (message !== undefined) onMessage(message);
      else if (++garbageLines > maxGarbageLines)
        onTrouble("it writes other output than MCP messages to stdout");
    },
    onSkipped({ head, tail, bytes }) {
      endLine();
      const id = findId(head, tail);
      // Without an id, no waiting call can be given the error.
      if (id === undefined) onTrouble(`it sent a message of ${bytes} bytes; the limit is ${maxMessageBytes}`);
      else onMessage(tooLong(id, bytes));
    },
  });
  /** Pauses reading. Returns a function that ends this pause; reading goes on once all pauses have ended. */
  const pauseReading = (): (() => void) => {
    pauses += 1;
    pause();
    return () => {
      pauses -= 1;
      if (pauses === 0) resume();
    };
  };
  return {
    ask: pace.ask,
    pause: pauseReading,
    read(chunk: Buffer) {
      linesRead = 0;
      unfinishedBytes += chunk.length;
      lines.push(chunk);
      if (unfinishedBytes > maxEndlessBytes)
        onTrouble(`it sent more than ${maxEndlessBytes} bytes in one line`);
      const restMs = pace.read(linesRead);
      if (restMs > 0) setTimeout(pauseReading(), restMs).unref();
    },
  };
}

const maxMessageBytes = 10 * 1024 * 1024;
// A line longer than this is not even skipped: reading it could go on for ever.
const maxEndlessBytes = 1024 * 1024 * 1024;
const maxGarbageLines = 1000;
const maxWaitingAnswers = 32;
const maxStallMs = 10_000;
const maxComplaintCharacters = 4000;
const lastWordsMs = 200;

function startProgram(
  { command, args, environment, directory }: StdioLaunch,
  marker: string,
): ChildProcessWithoutNullStreams {
  return spawn(command, [...args], {
    cwd: directory,
    env: { ...environment, [markerVariable]: marker },
    stdio: "pipe",
    shell: false,
    // Its own process group, so that Ctrl-C in a terminal reaches only us and we can end it in order.
    detached: true,
    windowsHide: true,
  });
}

async function started(child: ChildProcessWithoutNullStreams, command: string): Promise<void> {
  await once(child, "spawn").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(`cannot start ${command}: the program or its working folder does not exist`);
  });
}

/** Closes the program's input, which asks a server to exit; then ends the program and its child processes, by force if needed. */
async function endProgram(
  child: ChildProcessWithoutNullStreams,
  { leader, marker }: Omit<ProcessTree, "leader"> & { leader: Promise<ProcessIdentity> },
): Promise<void> {
  child.stdin.end();
  const isRunning = child.exitCode === null && child.signalCode === null;
  if (isRunning) await once(child, "exit", { signal: AbortSignal.timeout(politeMs) }).catch(() => {});
  await endProcessTree({ leader: await leader, marker }, { askMs: 2000 });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

const politeMs = 500;

function describeExit(child: ChildProcessWithoutNullStreams | undefined): string {
  if (typeof child?.signalCode === "string") return `the program was killed by ${child.signalCode}`;
  // A negative value is not an exit code but the reason why the program did not start.
  const { exitCode = null } = child ?? {};
  return exitCode !== null && exitCode >= 0 ? `the program exited with code ${exitCode}` : "";
}

function describeComplaints(complaints: string): string {
  const text = cleanText(complaints).trim().slice(-maxShownCharacters);
  return text === "" ? "" : `stderr: ${text}`;
}

const maxShownCharacters = 500;

/** Parses a line as a message. A line of other output, such as a library's log, is undefined and does not end the connection. */
function readMessage(line: string, sdk: ClientSdk): JSONRPCMessage | undefined {
  if (findJsonExcess(line, answerLimits) !== undefined) return undefined;
  try {
    return sdk.parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Quotes within a string would be escaped, so an unescaped `"id"` at either end is the message's own. */
function findId(head: string, tail: string): RequestId | undefined {
  const atEnd = /"id":(\d+|"[\w:-]+")(?:,"jsonrpc":"2\.0")?\}\s*$/.exec(tail);
  const atStart = /^\s*\{(?:"jsonrpc":"2\.0",)?"id":(\d+|"[\w:-]+"),/.exec(head);
  const found = (atEnd ?? atStart)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as RequestId);
}

/** Answers the waiting request with an error if its answer cannot be read. */
function unreadable(line: string): JSONRPCMessage | undefined {
  const id = findId(line.slice(0, endCharacters), line.slice(-endCharacters));
  const message = "the answer is not a valid message, is nested too deeply or has too many values";
  return id === undefined ? undefined : errorAnswer(message, { id });
}

const endCharacters = 200;

function tooLong(id: RequestId, bytes: number): JSONRPCMessage {
  return errorAnswer(`the answer has ${bytes} bytes; the limit is ${maxMessageBytes}`, { id });
}
