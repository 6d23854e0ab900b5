import { join, sep } from "node:path";
import { logSuffix } from "../../../kernel/store/blobs/needed-blobs.ts";
import {
  closeNow,
  fsyncNow,
  mkdirNow,
  openNow,
  renameNow,
  rmNow,
  truncateNow,
  writeNow,
} from "../../../machine/locks/files-now.ts";
import { type KernelLock, openKernelLock } from "../../../machine/locks/kernel-lock.ts";
import type { ProcessLives } from "../../../machine/locks/process-lives.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Intent } from "./intent.ts";
import type { IntentCall, IntentLine, IntentPlace } from "./intent-record.ts";

/** Where a process writes down its changes to files before it makes them. Nothing is created before the first of them. */
export interface IntentLog {
  /** Every process that uses the folder holds it for each step of a change. */
  readonly stepLock: KernelLock;
  begin(call: IntentCall & Pick<IntentPlace, "roots">): Intent;
  /** The end of the call is on record, so what it has changed need not be known from here. */
  forget(callId: string): void;
  close(): void;
}

export interface IntentLogOptions {
  readonly lives: Pick<ProcessLives, "own">;
  readonly blobs: string;
  /** With `power-loss`, each line is on the disk before the step that it tells of. */
  readonly durability?: "process-crash" | "power-loss" | undefined;
}

export function openIntentLog(folder: string, { lives, blobs, durability }: IntentLogOptions): IntentLog {
  const calls = new Map<string, NotedCall>();
  const stepLock = openKernelLock(join(folder, intentLocks.step));
  let opened: { readonly file: string; descriptor: number } | undefined;
  let sizeBytes = 0;
  let count = 0;
  /** Lines that could not be written and need not be in time, such as the end of an intent. */
  let owed = "";

  const open = () => {
    if (opened !== undefined) return opened;
    // First, so that no process finds the log of a live one that seems to be dead.
    const { own } = lives;
    mkdirNow(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${own}${logSuffix}`);
    opened = { file, descriptor: openNow(file, "a", 0o600) };
    return opened;
  };
  const append = (text: string) => {
    const { descriptor } = open();
    const whole = Buffer.from(owed + text);
    try {
      writeAll(descriptor, whole);
      if (durability === "power-loss") fsyncNow(descriptor);
    } catch (error) {
      // Part of a line may have been written.
      owed = `\n${owed.trimStart()}`;
      throw error;
    }
    owed = "";
    sizeBytes += whole.length;
  };
  /** Written before the step that it tells of, which must not be made if this fails. */
  const write = (callId: string, line: IntentLine) => {
    const text = `${JSON.stringify(line)}\n`;
    try {
      append(text);
    } catch (cause) {
      throw unwritten(cause);
    }
    calls.get(callId)?.lines.push(text);
  };
  const writeLater = (callId: string, line: IntentLine) => {
    const text = `${JSON.stringify(line)}\n`;
    try {
      append(text);
    } catch {
      owed += text;
    }
    calls.get(callId)?.lines.push(text);
  };
  const dropIfOver = (callId: string, { isOver, open }: NotedCall) => {
    if (!isOver || open > 0) return;
    calls.delete(callId);
    compact();
  };
  /** Drops the lines of calls that have ended. */
  const compact = () => {
    if (opened === undefined || sizeBytes <= maxLogBytes) return;
    try {
      if (calls.size === 0) {
        truncateNow(opened.descriptor, 0);
        sizeBytes = 0;
        return;
      }
      const text = [...calls.values()].flatMap(({ lines }) => lines).join("");
      if (text.length * 2 > sizeBytes) return;
      const whole = Buffer.from(text);
      const descriptor = replaceLog(opened.file, whole);
      closeNow(opened.descriptor);
      opened.descriptor = descriptor;
      sizeBytes = whole.length;
    } catch {
      // It grows a little longer; the next call tries again.
    }
  };

  return {
    stepLock,
    begin({ callId, sessionId, roots }) {
      count += 1;
      const number = count;
      const scratch: string[] = [];
      let isNextLast = false;
      let hasBegun = false;
      let isNoted = false;
      const note = (line: IntentLine) => {
        if (!hasBegun) {
          const known = calls.get(callId) ?? { lines: [], open: 0, isOver: false };
          calls.set(callId, known);
          known.open += 1;
          hasBegun = true;
          write(callId, { about: "begin", number, callId, sessionId, roots, blobs });
        }
        write(callId, line);
      };
      return {
        stepLock,
        step(step) {
          const paths = step.kind === "rename" ? [step.from, step.to] : [step.path];
          isNoted = !paths.every((path) => scratch.some((each) => isIn(path, each)));
          if (!isNoted) return;
          // A temporary file is filled first, and what completes the change is that it gets its name.
          const isLast = isNextLast && step.kind !== "put";
          if (isLast) isNextLast = false;
          note({ about: "step", number, step, ...(isLast && { isLast }) });
        },
        plan: (changes) => note({ about: "plan", number, changes }),
        scratch(path) {
          note({ about: "scratch", number, path });
          scratch.push(path);
        },
        last() {
          isNextLast = true;
        },
        missed(wasTold) {
          isNextLast = false;
          if (hasBegun) writeLater(callId, { about: "missed", number, isNoted: wasTold && isNoted });
          isNoted = false;
        },
        async complete(cleanUp) {
          if (hasBegun) note({ about: "commit", number });
          await cleanUp?.();
        },
        end() {
          if (!hasBegun) return;
          hasBegun = false;
          writeLater(callId, { about: "end", number });
          const known = calls.get(callId)!;
          known.open -= 1;
          dropIfOver(callId, known);
        },
      };
    },
    forget(callId) {
      const known = calls.get(callId);
      if (known === undefined) return;
      known.isOver = true;
      dropIfOver(callId, known);
    },
    close() {
      stepLock.close();
      if (opened === undefined) return;
      closeNow(opened.descriptor);
      if (calls.size === 0) rmNow(opened.file, { force: true });
      opened = undefined;
    },
  };
}

/** A call whose end is not on record, or that still changes something. */
interface NotedCall {
  readonly lines: string[];
  /** How many of its changes have begun and not ended. */
  open: number;
  isOver: boolean;
}

/** The locks in the folder: of each step of a change, and of taking back what others have left half done. */
export const intentLocks = { step: "steps.lock", recovery: "recovery.lock" } as const;

const maxLogBytes = 256 * 1024;

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** Returns the descriptor of the new log. */
function replaceLog(file: string, content: Buffer): number {
  const draft = `${file}.new`;
  const descriptor = openNow(draft, "w", 0o600);
  try {
    writeAll(descriptor, content);
    renameNow(draft, file);
    return descriptor;
  } catch (error) {
    closeNow(descriptor);
    throw error;
  }
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeNow(descriptor, bytes, done);
}

function unwritten(cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `the change could not be written down first, so it was not made: ${(cause as Error).message}`,
    { hint: "Check whether the disk that holds Toolwright's state is full.", cause },
  );
}
