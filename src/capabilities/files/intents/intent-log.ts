import { join, sep } from "node:path";
import { openKernelLock } from "../../../machine/locks/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Intent } from "./intent.ts";
import type { IntentCall, IntentLine, IntentPlace } from "./intent-record.ts";
import { type LogFileOptions, openLogFile } from "./log-file.ts";

export type IntentLog = ReturnType<typeof openIntentLog>;

export interface IntentLogOptions extends LogFileOptions {
  readonly blobs: string;
}

/**
 * Where a process writes down its changes to files before it makes them. Nothing is created before the first of them.
 */
export function openIntentLog(folder: string, { lives, blobs, durability }: IntentLogOptions) {
  const calls = new Map<string, NotedCall>();
  const stepLock = openKernelLock(join(folder, intentLocks.step));
  const log = openLogFile(folder, { lives, durability });
  let count = 0;

  const dropIfOver = (callId: string, { isOver, open }: NotedCall) => {
    if (!isOver || open > 0) return;
    calls.delete(callId);
    // The lines of calls that have ended.
    log.compact(() => [...calls.values()].flatMap(({ lines }) => lines).join(""));
  };
  const enter = (callId: string): NotedCall => {
    const known = calls.get(callId) ?? { lines: [], open: 0, isOver: false };
    calls.set(callId, known);
    known.open += 1;
    return known;
  };

  return {
    /** Every process that uses the folder holds it for each step of a change. */
    stepLock,
    begin({ callId, sessionId, roots }: IntentCall & Pick<IntentPlace, "roots">): Intent {
      const number = ++count;
      const scratch: string[] = [];
      let isNextLast = false;
      let isNoted = false;
      let hasBegun = false;
      let call: NotedCall | undefined;
      /** Written before the step that it tells of, which must not be made if this fails. */
      const note = (line: IntentLine) => {
        call ??= enter(callId);
        const begin = { about: "begin", number, callId, sessionId, roots, blobs } as const;
        const text = hasBegun ? toText(line) : toText(begin) + toText(line);
        try {
          log.append(text);
        } catch (cause) {
          throw unwritten(cause);
        }
        hasBegun = true;
        call.lines.push(text);
      };
      const noteLater = (noting: NotedCall, line: IntentLine) => {
        const text = toText(line);
        log.appendLater(text);
        noting.lines.push(text);
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
          if (call !== undefined) noteLater(call, { about: "missed", number, isNoted: wasTold && isNoted });
          isNoted = false;
        },
        async complete(cleanUp) {
          if (call !== undefined) note({ about: "commit", number });
          await cleanUp?.();
        },
        end() {
          if (call === undefined) return;
          const ended = call;
          call = undefined;
          noteLater(ended, { about: "end", number });
          ended.open -= 1;
          dropIfOver(callId, ended);
        },
      };
    },
    /** The end of the call is on record, so what it has changed need not be known from here. */
    forget(callId: string): void {
      const known = calls.get(callId);
      if (known === undefined) return;
      known.isOver = true;
      dropIfOver(callId, known);
    },
    close(): void {
      stepLock.close();
      log.close({ isNeeded: calls.size > 0 });
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

export function lockFilesIn(folder: string): readonly string[] {
  return Object.values(intentLocks).map((name) => join(folder, name));
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function toText(line: IntentLine): string {
  return `${JSON.stringify(line)}\n`;
}

function unwritten(cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `the change could not be written down first, so it was not made: ${(cause as Error).message}`,
    { hint: "Check whether the disk that holds Toolwright's state is full.", cause },
  );
}
