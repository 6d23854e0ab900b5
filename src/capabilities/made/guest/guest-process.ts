import type { Socket } from "node:net";
import type { Confining } from "../../../machine/sandbox/sandbox.ts";
import { entryFile } from "../../../shared/entry-file.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { answerLimits, findJsonExcess } from "../../../shared/json-rpc/find-json-excess.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { MadeLimits } from "../made-limits.ts";
import type { MadeTool } from "../made-tool.ts";
import { startConfined, tooMuchOutput } from "./confined-process.ts";

/** A running module of a made tool. It works on one call at a time. */
export interface Guest {
  call(input: unknown, options: GuestCall): Promise<unknown>;
  readonly isUsable: boolean;
  end(): Promise<void>;
}

export interface GuestCall {
  readonly signal: AbortSignal;
  /** Does what the tool asks of its context; throws a ToolError if it may not. */
  readonly use: (name: string, given: readonly unknown[]) => Promise<unknown>;
}

export interface GuestParts {
  readonly sandbox: Confining;
  readonly limits: MadeLimits;
}

/** What the bare sandbox has to show so that a module can be run. */
export function guestFiles(): readonly string[] {
  return [process.execPath, guestFile()];
}

function guestFile(): string {
  return entryFile(import.meta.url, { source: "guest-main.ts", built: "guest" });
}

export async function startGuest(tool: MadeTool, { sandbox, limits }: GuestParts): Promise<Guest> {
  const heapMb = Math.max(16, Math.round(limits.maxMemoryBytes / 2 ** 21));
  const file = guestFile();
  const running = await startConfined(
    {
      args: [
        process.execPath,
        `--max-old-space-size=${heapMb}`,
        // A second wall inside the first: no files, processes, threads or add-ons.
        ...["--permission", `--allow-fs-read=${file}`, "--no-warnings", "--no-addons"],
        file,
      ],
      hasChannel: true,
      reservedBytes: engineBytes,
    },
    { sandbox, limits },
  );
  const { child, ended } = running;
  const channel = child.stdio[3] as Socket;
  child.stdin?.end();
  child.stdout?.resume();
  let isUsable = true;
  let onMessage: (message: Record<string, unknown>) => void = () => {};
  ended.then(() => {
    isUsable = false;
    channel.destroy();
  });
  /** Whatever else it has sent is not worth reading. */
  const endBroken = (why: ToolError) => {
    isUsable = false;
    channel.destroy();
    running.end(why);
  };
  readMessages(channel, limits.maxOutputBytes, {
    onMessage: (message) => onMessage(message),
    onBroken: endBroken,
  });
  const send = (message: object) => channel.write(`${JSON.stringify(message)}\n`);
  let calls = 0;

  /** Until the answer is there, the process is watched and keeps ours alive. */
  const during = async <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> => {
    const stopWatching = running.watch();
    const stop = () => running.end(stoppedBy(signal));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    child.ref();
    channel.ref();
    try {
      return await Promise.race([work, ended.then((why) => Promise.reject(why))]);
    } finally {
      stopWatching();
      signal.removeEventListener("abort", stop);
      child.unref();
      channel.unref();
    }
  };

  const guest: Guest = {
    get isUsable() {
      return isUsable;
    },
    async call(input, { signal, use }) {
      const call = ++calls;
      const result = Promise.withResolvers<unknown>();
      let uses = 0;
      onMessage = (message) => {
        if (message.result === call) {
          // What comes after the answer belongs to no call.
          onMessage = () => endBroken(misbehaved());
          return result.resolve(readResult(message));
        }
        const { use: id, name, given } = message;
        const isUse = typeof id === "number" && typeof name === "string" && Array.isArray(given);
        if (!isUse || ++uses > limits.maxUses) return endBroken(misbehaved());
        use(name, given).then(
          (value) => send({ answer: id, value }),
          (error: unknown) => send({ answer: id, failure: describeFailure(error) }),
        );
      };
      send({ call, input });
      const value = await during(signal, result.promise);
      if (value instanceof ToolError) throw value;
      return value;
    },
    async end() {
      running.end(new ToolError("cancelled", "the tool's process was ended"));
      // Whoever waits for its end may have nothing else to do.
      child.ref();
      await ended;
    },
  };

  const loaded = Promise.withResolvers<void>();
  onMessage = ({ ready, broken }) => {
    if (ready === true) loaded.resolve();
    else loaded.reject(new ToolError("tool-failed", `the tool cannot be loaded: ${String(broken)}`));
  };
  const { code, language, permissions } = tool;
  // Awaited only if the process lives that long.
  loaded.promise.catch(() => {});
  send({ load: { code, isTypeScript: language === "typescript", uses: permissions } });
  try {
    await during(AbortSignal.timeout(maxLoadMs), loaded.promise);
  } catch (error) {
    await guest.end();
    throw error;
  }
  return guest;
}

const maxLoadMs = 10_000;

// The range for compiled code, and some more.
const engineBytes = 640 * 2 ** 20;

interface Listeners {
  readonly onMessage: (message: Record<string, unknown>) => void;
  readonly onBroken: (why: ToolError) => void;
}

/** Everything that arrives was written by the tool, or may have been. */
function readMessages(channel: Socket, maxBytes: number, { onMessage, onBroken }: Listeners): void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  channel.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1 && !channel.destroyed; at = chunk.indexOf(10, from)) {
      if (bytes + at - from > maxBytes) return onBroken(tooMuchOutput(maxBytes));
      const line = Buffer.concat([...pieces, chunk.subarray(from, at)]).toString("utf8");
      [pieces, bytes, from] = [[], 0, at + 1];
      const message = parseMessage(line);
      if (message === undefined) return onBroken(misbehaved());
      onMessage(message);
    }
    pieces.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > maxBytes) onBroken(tooMuchOutput(maxBytes));
  });
}

/** Without `__proto__`, which a later copy of the value would obey. */
function parseMessage(line: string): Record<string, unknown> | undefined {
  if (findJsonExcess(line, answerLimits) !== undefined) return undefined;
  try {
    const isPlain = !line.includes("__proto__") && !line.includes("\\u");
    const drop = (key: string, value: unknown) => (key === "__proto__" ? undefined : value);
    const message: unknown = isPlain ? JSON.parse(line) : JSON.parse(line, drop);
    return isPlainObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function readResult({ value, failure }: Record<string, unknown>): unknown {
  if (failure === undefined) return value;
  return new ToolError("tool-failed", typeof failure === "string" ? failure : "the tool failed");
}

function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof ToolError) return { code: error.code, message: error.message };
  return { code: "tool-failed", message: error instanceof Error ? error.message : String(error) };
}

function misbehaved(): ToolError {
  return new ToolError("tool-failed", "the tool was ended: it sent messages that no tool sends");
}

export function stoppedBy({ reason }: AbortSignal): ToolError {
  const isLate = reason instanceof Error && reason.name !== "AbortError";
  return new ToolError(isLate ? "timed-out" : "cancelled", "the tool was ended before it had finished");
}
