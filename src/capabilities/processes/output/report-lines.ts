import { countOf } from "../../../shared/text/count-of.ts";
import { plainText } from "../../../shared/text/plain-text.ts";
import { wholeEnd, wholeStart } from "./whole-characters.ts";

export type LineReporter = ReturnType<typeof createLineReporter>;

// At most ten reports of 16 KB a second, so that a listener can keep up with any amount of output.
const intervalMs = 100;
const maxPendingBytes = 16 * 1024;
const partialLineMs = 1000;

interface ReportedStream {
  /** Gets text that ends with a newline, unless a line stays unfinished for long. */
  report(text: string): void;
  isBinary(): boolean;
}

/** Reports lines to a listener as they arrive. */
export function createLineReporter({ report, isBinary }: ReportedStream) {
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
    const note = skippedBytes === 0 ? "" : `[${countOf(skippedBytes + start, "byte")} not shown]\n`;
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
    add(chunk: Buffer): void {
      keep(chunk);
      schedule();
    },
    /** Reports the rest, even an unfinished line. */
    end(): void {
      if (length > 0) flush(length);
      clearTimeout(timer);
    },
  };
}

/** After a gap, continues at the next whole line, or inside a very long line at the next whole character. */
function afterSkip(bytes: Buffer): number {
  const nextLine = bytes.indexOf(10) + 1;
  return nextLine > 0 && nextLine < bytes.length ? nextLine : wholeStart(bytes, 0);
}

/** The end of an unfinished line without an incomplete character or control sequence. */
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
