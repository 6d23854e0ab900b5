import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import {
  endProcessTree,
  markerVariable,
  type ProcessTree,
} from "../../../runtime/services/processes/command/process-tree.ts";
import { newId } from "../../../shared/new-id.ts";
import { identityOf, type ProcessIdentity } from "../../../shared/process-identity.ts";
import { cleanText } from "../tools/clean-text.ts";
import type { ClientSdk } from "./load-client-sdk.ts";
import { createMessageLines } from "./message-lines.ts";

export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
}

/**
 * MCP with a program that we start. Unlike the SDK's own transport this one ends the program with all that it started,
 * lives on after an answer that is too long, and starts the program once.
 */
export interface ClientStdioTransport extends Transport {
  readonly pid: number | undefined;
  /** By these two the SDK knows that it has a program before it. */
  readonly stderr: null;
  /** How the program ended, if it did, and the last of what it complained about. */
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
  let isClosed = false;
  let complaints = "";
  let garbageLines = 0;
  let draining: Promise<void> | undefined;

  const noteClosed = () => {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const fail = (message: string) => {
    transport.onerror?.(new Error(message));
    void transport.close();
  };
  const deliver = (message: JSONRPCMessage) => {
    // The SDK looks at progress a moment after it came, and by then has forgotten a call whose answer came with it.
    if ("method" in message) transport.onmessage?.(message);
    else queueMicrotask(() => transport.onmessage?.(message));
  };
  const lines = createMessageLines(maxMessageBytes, {
    onLine(line) {
      if (line.trim() === "") return;
      const message = readMessage(line, sdk) ?? unreadable(line);
      if (message !== undefined) deliver(message);
      else if (++garbageLines > maxGarbageLines) fail("it writes what is no MCP message to its output");
    },
    onSkipped({ head, tail, bytes }) {
      const id = findId(head, tail);
      // Whose answer it was cannot be told, so nobody waiting can be told either.
      if (id === undefined) fail(`it sent a message of ${bytes} bytes, more than ${maxMessageBytes}`);
      else deliver(tooLong(id, bytes));
    },
  });

  const transport: ClientStdioTransport = {
    stderr: null,
    get pid() {
      return child?.pid;
    },
    lastWords: () => [describeExit(child), describeComplaints(complaints)].filter(Boolean).join("; "),
    async start() {
      child = startProgram(launch, marker);
      child.on("close", noteClosed);
      child.stdin.on("error", () => {});
      child.stdout.on("error", () => {});
      child.stderr.on("error", () => {});
      child.stdout.on("data", (chunk: Buffer) => {
        if (isClosed) return;
        onBytes(chunk.length);
        lines.push(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => {
        complaints = (complaints + chunk.toString("utf8")).slice(-maxComplaintCharacters);
      });
      await started(child, launch.command);
      // Asked at once: when it has gone, its number may be somebody else's.
      leader = identityOf(child.pid!);
      // What it started may hold its output open long after it has gone itself.
      child.on("exit", () => setTimeout(noteClosed, lastWordsMs).unref());
    },
    async send(message) {
      if (child === undefined || isClosed || !child.stdin.writable) throw new Error("it is not running");
      if (child.stdin.write(sdk.serializeMessage(message))) return;
      draining ??= drained(child).finally(() => {
        draining = undefined;
      });
      await draining;
    },
    async close() {
      if (child !== undefined && leader !== undefined)
        ending ??= endProgram(child, { leader: await leader, marker });
      await ending;
      noteClosed();
    },
  };
  return transport;
}

const maxMessageBytes = 10 * 1024 * 1024;
const maxGarbageLines = 1000;
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
    // A group of its own, so that Ctrl-C in a terminal reaches us alone and we end it in order.
    detached: true,
    windowsHide: true,
  });
}

function started(child: ChildProcessWithoutNullStreams, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "ENOENT"
          ? new Error(`there is no program ${command}, or no folder to start it in`)
          : error,
      );
    });
  });
}

function drained(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      child.stdin.off("drain", go);
      child.off("close", go);
      resolve();
    };
    child.stdin.on("drain", go);
    child.on("close", go);
  });
}

/** The end of its input asks a server to leave; then it is asked, then forced, with all that it started. */
async function endProgram(child: ChildProcessWithoutNullStreams, tree: ProcessTree): Promise<void> {
  child.stdin.end();
  if (child.exitCode === null && child.signalCode === null) await exitedWithin(child, politeMs);
  await endProcessTree(tree, { askMs: 2000, forceMs: 2000 });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

const politeMs = 500;

function exitedWithin(child: ChildProcessWithoutNullStreams, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function describeExit(child: ChildProcessWithoutNullStreams | undefined): string {
  if (typeof child?.signalCode === "string") return `the program was ended by ${child.signalCode}`;
  // Below zero it is no exit code, but why nothing was started.
  const { exitCode = null } = child ?? {};
  return exitCode !== null && exitCode >= 0 ? `the program ended with exit code ${exitCode}` : "";
}

function describeComplaints(complaints: string): string {
  const text = cleanText(complaints).trim().slice(-maxShownCharacters);
  return text === "" ? "" : `it said: ${text}`;
}

const maxShownCharacters = 500;

/** What a library prints for its own sake is no message, and no reason to do without the server. */
function readMessage(line: string, sdk: ClientSdk): JSONRPCMessage | undefined {
  try {
    return sdk.parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Inside a string its quotes would be escaped, so a bare `"id"` at either end is the message's own. */
function findId(head: string, tail: string): RequestId | undefined {
  const atEnd = /"id":(\d+|"[\w:-]+")(?:,"jsonrpc":"2\.0")?\}\s*$/.exec(tail);
  const atStart = /^\s*\{(?:"jsonrpc":"2\.0",)?"id":(\d+|"[\w:-]+"),/.exec(head);
  const found = (atEnd ?? atStart)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as RequestId);
}

/** Whoever waits for an answer that makes no sense is told so, rather than left waiting. */
function unreadable(line: string): JSONRPCMessage | undefined {
  const id = findId(line.slice(0, endCharacters), line.slice(-endCharacters));
  if (id === undefined) return undefined;
  return {
    jsonrpc: "2.0",
    id,
    error: { code: -32_000, message: "the answer is not a message, or nested too deeply" },
  };
}

const endCharacters = 200;

function tooLong(id: RequestId, bytes: number): JSONRPCMessage {
  const message = `the answer has ${bytes} bytes; at most ${maxMessageBytes} are taken`;
  return { jsonrpc: "2.0", id, error: { code: -32_000, message } };
}
