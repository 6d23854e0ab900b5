import { isUtf8 } from "node:buffer";
import { countOf } from "../../../shared/text/count-of.ts";
import type { CapturedStream, FilePlace, KeptPart } from "../command/running-command.ts";
import { headEnd, type Room, tailStart, toText } from "./cut-stream.ts";
import type { OutputFile } from "./output-file.ts";
import { wholeEnd } from "./whole-characters.ts";

/** Share of the kept bytes that comes from the start. */
const headShare = 0.8;

export type StreamCapture = ReturnType<typeof captureStream>;

interface FileOffset {
  readonly bytes: number;
  readonly line: number;
  readonly isLineStart: boolean;
}

export interface StreamOptions {
  readonly maxBytes: number;
  /** Characters that go before each line where the stream is shown. */
  readonly perLine?: number;
  readonly file?: Pick<OutputFile, "path" | "bytes">;
}

/** Keeps what fits into `maxBytes` of one stream, as text for a model. */
export function captureStream({ maxBytes, perLine = 0, file }: StreamOptions) {
  const headBytes = Math.floor(maxBytes * headShare);
  const bytes = createHeadAndTail({ headBytes, tailBytes: maxBytes - headBytes });
  const places = createPlaces(file);
  let last: { readonly captured: CapturedStream; readonly key: string } | undefined;

  const isWhole = () => bytes.head().length + bytes.tail().length === bytes.totalBytes;
  const whole = () =>
    bytes.tail().length === 0 ? bytes.head() : Buffer.concat([bytes.head(), bytes.tail()]);

  /** How many characters the whole stream takes; more than any limit if it is too long to be held in memory. */
  const size = () => {
    if (binaryKind(bytes.head()) !== undefined) return noticeCharacters;
    return isWhole() ? charactersOf(toText(whole()), perLine) : unlimited;
  };
  const fitText = (maxCharacters: number, keep: KeptPart): Omit<CapturedStream, "totalBytes"> => {
    const { totalBytes } = bytes;
    const all = isWhole() ? whole() : undefined;
    if (all !== undefined) {
      const text = toText(all);
      if (Buffer.byteLength(text) <= maxBytes && charactersOf(text, perLine) <= maxCharacters)
        return { text, omittedBytes: 0 };
    }
    // The note on the omission counts towards the limit; no number in it is longer than this one.
    const noteCharacters = describeOmitted(totalBytes, { line: totalBytes, column: totalBytes }, file).length;
    const room = (share: number): Room => ({
      perLine,
      bytes: Math.max(0, Math.floor((maxBytes - noteCharacters) * share)),
      characters: Math.max(0, Math.floor((maxCharacters - noteCharacters) * share)),
    });
    const head = all ?? bytes.head();
    const tail = all ?? bytes.tail();
    const share = keep === "head" ? 1 : headShare;
    const headTaken = headEnd(head, room(share));
    const tailTaken = keep === "head" ? nothing : tail.subarray(tailStart(tail, room(1 - share)));
    const omittedBytes = totalBytes - headTaken - tailTaken.length;
    const omittedFrom = places.find(head, headTaken);
    const note = describeOmitted(omittedBytes, omittedFrom, file);
    const text = toText(head.subarray(0, headTaken)) + note + toText(tailTaken);
    return { text, omittedBytes, omittedFrom };
  };

  return {
    /** `at` is where the chunk begins in the file that holds the whole output. */
    add(chunk: Buffer, at?: FileOffset): void {
      if (at !== undefined && bytes.totalBytes <= headBytes) places.add(bytes.totalBytes, at);
      bytes.add(chunk);
    },
    isBinary: () => binaryKind(bytes.head()) !== undefined,
    size,
    /** With `maxCharacters`, even less than fits into memory. */
    read(maxCharacters = unlimited, keep: KeptPart = "head-and-tail"): CapturedStream {
      const { totalBytes } = bytes;
      const key = `${totalBytes} ${maxCharacters} ${keep}`;
      if (last?.key !== key) {
        const binary = binaryKind(bytes.head());
        const read =
          binary === undefined
            ? fitText(maxCharacters, keep)
            : {
                text: `[binary output (${binary}), ${countOf(totalBytes, "byte")}, not shown]`,
                omittedBytes: totalBytes,
                binary,
              };
        last = { key, captured: { ...read, totalBytes } };
      }
      return last.captured;
    },
  };
}

const nothing = Buffer.alloc(0);

// More than any text has.
const unlimited = 2 ** 40;
const noticeCharacters = 80;

function charactersOf(text: string, perLine: number): number {
  return perLine === 0 ? text.length : text.length + perLine * text.split("\n").length;
}

function describeOmitted(
  omittedBytes: number,
  from: FilePlace | undefined,
  file: StreamOptions["file"],
): string {
  const where =
    from === undefined || file === undefined
      ? ""
      : `, from line ${from.line}${from.column === undefined ? "" : `, column ${from.column}`} of ${file.path} on`;
  return `\n\n... [${omittedBytes} bytes left out${where}] ...\n\n`;
}

/** Remembers where the pieces of a stream's head are in a file that it shares with another stream. */
function createPlaces(file: StreamOptions["file"]) {
  const pieces: (FileOffset & { readonly streamOffset: number })[] = [];
  return {
    add(streamOffset: number, at: FileOffset) {
      const previous = pieces.at(-1);
      if (previous && previous.bytes + streamOffset - previous.streamOffset === at.bytes) return;
      pieces.push({ ...at, streamOffset });
    },
    /** Where a byte of the stream's head is in the file; undefined if the file ends before it. */
    find(head: Buffer, offset: number): FilePlace | undefined {
      const piece = pieces.findLast(({ streamOffset }) => streamOffset <= offset);
      if (piece === undefined || piece.bytes + offset - piece.streamOffset >= (file?.bytes ?? 0))
        return undefined;
      const passed = head.subarray(piece.streamOffset, offset);
      const lineStart = passed.lastIndexOf(0x0a) + 1;
      const line = piece.line + countLineFeeds(passed);
      // Behind the beginning of another stream's line, the column is not known.
      const isInLine = lineStart < passed.length && (lineStart > 0 || piece.isLineStart);
      return isInLine ? { line, column: passed.toString("utf8", lineStart).length + 1 } : { line };
    },
  };
}

export function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count += 1;
  return count;
}

const sampleBytes = 512;

/** The kind of binary content a stream starts with; undefined for text. */
export function binaryKind(head: Buffer): string | undefined {
  const sample = head.subarray(0, sampleBytes);
  const known = signatures.find(({ at = 0, bytes, and }) => {
    const end = at + bytes.length;
    return sample.length >= end && sample.subarray(at, end).equals(bytes) && (and?.(sample) ?? true);
  });
  if (known !== undefined) return known.kind;
  if (sample.includes(0)) return "NUL bytes";
  return isUtf8(sample.subarray(0, wholeEnd(sample, sample.length))) ? undefined : "not UTF-8";
}

interface Signature {
  readonly kind: string;
  readonly at?: number;
  readonly bytes: Buffer;
  /** A further check, for a signature that ordinary text may start with. */
  readonly and?: (sample: Buffer) => boolean;
}

const signatures: readonly Signature[] = [
  { kind: "ELF", bytes: Buffer.from("\x7fELF", "latin1") },
  { kind: "PNG", bytes: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") },
  { kind: "JPEG", bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { kind: "PDF", bytes: Buffer.from("%PDF-") },
  { kind: "GIF", bytes: Buffer.from("GIF87a") },
  { kind: "GIF", bytes: Buffer.from("GIF89a") },
  { kind: "GZIP", bytes: Buffer.from([0x1f, 0x8b]) },
  { kind: "ZIP", bytes: Buffer.from("PK\x03\x04", "latin1") },
  { kind: "ZIP", bytes: Buffer.from("PK\x05\x06", "latin1") },
  { kind: "TAR", at: 257, bytes: Buffer.from("ustar") },
  { kind: "WASM", bytes: Buffer.from("\0asm", "latin1") },
  { kind: "Mach-O 32", bytes: Buffer.from([0xfe, 0xed, 0xfa, 0xce]) },
  { kind: "Mach-O 32", bytes: Buffer.from([0xce, 0xfa, 0xed, 0xfe]) },
  { kind: "Mach-O 64", bytes: Buffer.from([0xfe, 0xed, 0xfa, 0xcf]) },
  { kind: "Mach-O 64", bytes: Buffer.from([0xcf, 0xfa, 0xed, 0xfe]) },
  // Text may start with these two letters, but not with four zero bytes after the size.
  {
    kind: "BMP",
    bytes: Buffer.from("BM"),
    and: (sample) => sample.length >= 10 && sample.readUInt32LE(6) === 0,
  },
  { kind: "WEBP/RIFF", bytes: Buffer.from("RIFF"), and: isRiff },
];

function isRiff(sample: Buffer): boolean {
  return ["WEBP", "WAVE", "AVI ", "RMID"].includes(sample.toString("latin1", 8, 12));
}

/** Keeps the first and the last bytes of a stream. It copies them, so that callers may reuse a chunk's memory. */
function createHeadAndTail({ headBytes, tailBytes }: Readonly<Record<"headBytes" | "tailBytes", number>>) {
  let head = nothing;
  let headLength = 0;
  let tail: Buffer | undefined;
  let tailLength = 0;
  let totalBytes = 0;

  const addToHead = (bytes: Buffer) => {
    if (headLength + bytes.length > head.length) {
      const wanted = Math.max(smallestBytes, (headLength + bytes.length) * 2);
      const larger = Buffer.allocUnsafeSlow(Math.min(headBytes, wanted));
      head.copy(larger, 0, 0, headLength);
      head = larger;
    }
    headLength += bytes.copy(head, headLength);
  };
  const addToTail = (bytes: Buffer) => {
    // Twice the size, so that the kept bytes are moved only now and then.
    tail ??= Buffer.allocUnsafeSlow(tailBytes * 2);
    const kept = bytes.subarray(Math.max(0, bytes.length - tailBytes));
    if (tailLength + kept.length > tail.length) {
      const staying = tailBytes - kept.length;
      tail.copyWithin(0, tailLength - staying, tailLength);
      tailLength = staying;
    }
    kept.copy(tail, tailLength);
    tailLength += kept.length;
  };

  return {
    get totalBytes() {
      return totalBytes;
    },
    add(chunk: Buffer): void {
      totalBytes += chunk.length;
      const forHead = chunk.subarray(0, headBytes - headLength);
      if (forHead.length > 0) addToHead(forHead);
      if (forHead.length < chunk.length) addToTail(chunk.subarray(forHead.length));
    },
    head: () => head.subarray(0, headLength),
    tail: () => tail?.subarray(Math.max(0, tailLength - tailBytes), tailLength) ?? nothing,
  };
}

const smallestBytes = 1024;
