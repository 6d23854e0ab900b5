import { join } from "node:path";
import { logSuffix } from "../../../kernel/store/index.ts";
import {
  closeNow,
  fsyncNow,
  mkdirNow,
  openNow,
  type ProcessLives,
  renameNow,
  rmNow,
  truncateNow,
  writeNow,
} from "../../../machine/locks/index.ts";

export interface LogFileOptions {
  readonly lives: Pick<ProcessLives, "own">;
  /** With `power-loss`, each line is on the disk before the step that it tells of. */
  readonly durability?: "process-crash" | "power-loss" | undefined;
}

/** The file of one process in a folder of logs. Nothing is created before the first line. */
export function openLogFile(folder: string, { lives, durability }: LogFileOptions) {
  let opened: { readonly file: string; descriptor: number } | undefined;
  let sizeBytes = 0;
  let owed = "";

  const open = () => {
    // First, so that no process finds the log of a live one that seems to be dead.
    const { own } = lives;
    mkdirNow(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${own}${logSuffix}`);
    return { file, descriptor: openNow(file, "a", 0o600) };
  };
  /** Throws if the text cannot be written. */
  const append = (text: string): void => {
    opened ??= open();
    const whole = Buffer.from(owed + text);
    try {
      writeAll(opened.descriptor, whole);
      if (durability === "power-loss") fsyncNow(opened.descriptor);
    } catch (error) {
      // Part of a line may have been written.
      owed = `\n${owed.trimStart()}`;
      throw error;
    }
    owed = "";
    sizeBytes += whole.length;
  };

  return {
    append,
    /** Lines that need not be written in time, such as the end of an intent: what fails is written with the next ones. */
    appendLater(text: string): void {
      try {
        append(text);
      } catch {
        owed += text;
      }
    },
    /** Once it is long, replaces it by the lines that are needed, if they are less than half of it. */
    compact(neededText: () => string): void {
      if (opened === undefined || sizeBytes <= maxLogBytes) return;
      try {
        const text = neededText();
        if (text.length * 2 > sizeBytes) return;
        const whole = Buffer.from(text);
        if (text === "") truncateNow(opened.descriptor, 0);
        else {
          const descriptor = replaceLog(opened.file, whole);
          closeNow(opened.descriptor);
          opened.descriptor = descriptor;
        }
        sizeBytes = whole.length;
      } catch {
        // It grows a little longer; the next call tries again.
      }
    },
    /** Removes the file unless it is needed. */
    close({ isNeeded }: { readonly isNeeded: boolean }): void {
      if (opened === undefined) return;
      closeNow(opened.descriptor);
      if (!isNeeded) rmNow(opened.file, { force: true });
      opened = undefined;
    },
  };
}

const maxLogBytes = 256 * 1024;

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
