import { plainText } from "./plain-text.ts";
import { wholeEnd, wholeStart } from "./whole-characters.ts";

/** Lines as they come, for somebody who watches. */
export interface LineReporter {
  add(chunk: Buffer): void;
  /** Reports what is left, whole line or not. */
  end(): void;
}

export interface LineReporterOptions {
  /** Text that ends with a line end, unless a line takes long to come to its own. */
  report(text: string): void;
  isBinary(): boolean;
}

// At most ten reports a second of 16 KB each: however much is printed, whoever listens can keep up.
const intervalMs = 100;
const maxPendingBytes = 16 * 1024;
const partialLineMs = 1000;

export function createLineReporter({ report, isBinary }: LineReporterOptions): LineReporter {
  const pending = Buffer.allocUnsafeSlow(maxPendingBytes);
  let length = 0;
  let skippedBytes = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isTimerForLine = false;

  const keep = (chunk: Buffer) => {
    const excess = Math.max(0, length + chunk.length - maxPendingBytes);
    const fromPending = Math.min(excess, length);
    pending.copyWithin(0, fromPending, length);
    length -= fromPending;
    skippedBytes += excess;
    length += chunk.copy(pending, length, excess - fromPending);
  };
  const flush = (end: number) => {
    clearTimeout(timer);
    timer = undefined;
    const start = skippedBytes === 0 ? 0 : Math.min(end, afterSkip(pending.subarray(0, end)));
    const note = skippedBytes === 0 ? "" : `[${skippedBytes + start} bytes not shown]\n`;
    const text = note + plainText(pending.toString("utf8", start, end));
    pending.copyWithin(0, end, length);
    length -= end;
    skippedBytes = 0;
    reportedAt = performance.now();
    if (text !== "" && !isBinary()) report(text);
    if (length > 0) schedule();
  };
  const lineEnd = () => pending.subarray(0, length).lastIndexOf(10) + 1;
  const schedule = () => {
    const hasLine = lineEnd() > 0;
    if (timer !== undefined && (isTimerForLine || !hasLine)) return;
    clearTimeout(timer);
    const waitMs = hasLine ? reportedAt + intervalMs - performance.now() : partialLineMs;
    if (waitMs <= 0) return flush(lineEnd());
    isTimerForLine = hasLine;
    timer = setTimeout(() => flush(lineEnd() || partialEnd(pending, length)), waitMs);
  };

  return {
    add(chunk) {
      keep(chunk);
      schedule();
    },
    end() {
      if (length > 0) flush(length);
      clearTimeout(timer);
    },
  };
}

/** After a gap, the next whole line is the first that makes sense; in a line without end, the next character. */
function afterSkip(bytes: Buffer): number {
  const nextLine = bytes.indexOf(10) + 1;
  return nextLine > 0 && nextLine < bytes.length ? nextLine : wholeStart(bytes, 0);
}

/** As much of an unfinished line as is sure to be whole: no half character, no half control sequence. */
function partialEnd(pending: Buffer, length: number): number {
  const end = wholeEnd(pending, length);
  const escapeAt = pending.lastIndexOf(0x1b, end - 1);
  const isOpen =
    escapeAt !== -1 &&
    end - escapeAt < maxSequenceBytes &&
    !/[@-Z\\^-~]/.test(pending.toString("latin1", escapeAt + 2, end));
  return isOpen ? escapeAt : end;
}

const maxSequenceBytes = 32;
