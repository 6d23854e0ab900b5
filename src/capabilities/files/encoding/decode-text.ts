import { constants, isAscii, isUtf8 } from "node:buffer";
import { byteOrderMarks } from "../../../shared/content/byte-order-mark.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { lineEndingOf } from "./line-endings.ts";
import type { TextShape } from "./text-shape.ts";
import { decodeWindows1252 } from "./windows-1252.ts";

export interface DecodeTextOptions {
  /** For text that is neither UTF-8 nor has a byte order mark: a label of the Encoding Standard, such as `shift_jis`. */
  readonly encoding?: string | undefined;
  /** Name of the file in messages. */
  readonly path?: string;
}

/** Decodes without the byte order mark, and returns the shape needed to write the text back; refuses invalid text. */
export function decodeText(
  bytes: Uint8Array,
  { encoding: label, path = "the file" }: DecodeTextOptions = {},
): { text: string; shape: TextShape } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length > constants.MAX_STRING_LENGTH) throw tooLarge(path, buffer.length);
  const { encoding, mark } = findEncoding(buffer, label);
  const text = decode(buffer.subarray(mark.length), encoding);
  if (text === undefined) throw notText(path, encoding);
  return {
    text,
    shape: {
      encoding,
      hasBom: mark.length > 0,
      lineEnding: lineEndingOf(text),
      endsWithNewline: text.endsWith("\n") || text.endsWith("\r"),
    },
  };
}

const noMark = Buffer.alloc(0);

/** A byte order mark decides, unless the caller names an encoding that has none. */
function findEncoding(buffer: Buffer, label: string | undefined): { encoding: string; mark: Buffer } {
  const named = label === undefined ? undefined : standardName(label);
  if (named === undefined || byteOrderMarks.has(named)) {
    for (const [encoding, mark] of byteOrderMarks) {
      if (buffer.subarray(0, mark.length).equals(mark)) return { encoding, mark };
    }
  }
  return { encoding: named ?? "utf-8", mark: noMark };
}

/** The standard's name for a label. The hint of the error gives examples. */
export function standardName(
  label = "utf-8",
  examples = "utf-8, utf-16le, windows-1252 or shift_jis",
): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (cause) {
    throw new ToolError("invalid-input", `${JSON.stringify(label)} is not a known encoding`, {
      hint: `Use a name such as ${examples}.`,
      cause,
    });
  }
}

function decode(buffer: Buffer, encoding: string): string | undefined {
  // Checking first and decoding then is fastest for UTF-8, which nearly every file uses.
  if (encoding === "utf-8" && isAscii(buffer)) return buffer.toString("latin1");
  if (encoding === "utf-8") return isUtf8(buffer) ? buffer.toString("utf8") : undefined;
  if (encoding === "windows-1252") return decodeWindows1252(buffer);
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(buffer);
  } catch {
    return undefined;
  }
}

export function notText(
  path: string,
  encoding: string,
  hint = "If it uses another encoding, name that encoding, or convert the file to UTF-8 first.",
): ToolError {
  return new ToolError("not-text", `${path} is not valid ${encoding.toUpperCase()} text`, { hint });
}

function tooLarge(path: string, sizeBytes: number): ToolError {
  return new ToolError("too-large", `${path} has ${sizeBytes} bytes, too many to hold in memory as text`, {
    hint: "Use a streaming program such as sed.",
  });
}
