import { fstat } from "node:fs";
import { isatty } from "node:tty";
import { promisify } from "node:util";
import { progressText } from "../../../kernel/events/index.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

export type CallProgress = ReturnType<typeof createCallProgress>;

// Notes on how a command ended take no more lines than this; more unseen lines mean that progress was incomplete.
const maxUnseenLines = 10;
const maxSeenCharacters = 4_000_000;

/** Prints a call's progress on stderr, for a person who is watching. */
export function createCallProgress({ tell }: Pick<CommandOutput, "tell">) {
  const seen = new Map<string, number>();
  let seenCharacters = 0;
  return {
    onProgress(update: unknown) {
      const text = progressText(update) ?? JSON.stringify(update) ?? "";
      for (const line of text.replace(/\n$/, "").split("\n")) {
        void tell(escapeLine(line));
        seenCharacters += line.length + 1;
        if (seenCharacters < maxSeenCharacters) seen.set(line, (seen.get(line) ?? 0) + 1);
      }
    },
    /** Whether stdout and stderr are the same terminal, so that the person sees progress and result together. */
    isSeenWithResult: isOneTerminal,
    /** The lines of a result that were not printed as progress; all lines if many were not, to keep the context. */
    unseen(text: string) {
      if (seen.size === 0) return text;
      const left = new Map(seen);
      const isUnseen = (line: string) => !takeOne(left, line) && !takeOne(left, withoutMark(line));
      const lines = text.split("\n").filter(isUnseen);
      return lines.length <= maxUnseenLines ? lines.join("\n").replace(/^\n+/, "") : text;
    },
  };
}

/** Removes one occurrence of the line; it may have been printed several times. */
function takeOne(lines: Map<string, number>, line: string): boolean {
  const count = lines.get(line) ?? 0;
  if (count > 0) lines.set(line, count - 1);
  return count > 0;
}

/** `[stderr] no such file` → `no such file`. */
function withoutMark(line: string): string {
  return line.replace(/^\[\w+\] /, "");
}

async function isOneTerminal(): Promise<boolean> {
  if (!isatty(1) || !isatty(2)) return false;
  const [stdout, stderr] = await Promise.all([promisify(fstat)(1), promisify(fstat)(2)]);
  return stdout.rdev === stderr.rdev;
}
