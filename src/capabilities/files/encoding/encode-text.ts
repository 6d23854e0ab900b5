import { byteOrderMarks } from "../../../shared/content/byte-order-mark.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { standardName } from "./decode-text.ts";
import { withLineEnding } from "./line-endings.ts";
import type { TextShape } from "./text-shape.ts";
import { encodeWindows1252 } from "./windows-1252.ts";

/** Encodes a text; refuses characters that the encoding lacks instead of replacing them. */
export function encodeText(
  text: string,
  { encoding, hasBom }: Pick<TextShape, "encoding" | "hasBom">,
): Buffer {
  if (!text.isWellFormed()) throw cannotHold("half a character (a lone UTF-16 surrogate)", encoding);
  const bytes = encode(text, encoding);
  const mark = hasBom ? byteOrderMarks.get(encoding) : undefined;
  return mark === undefined ? bytes : Buffer.concat([mark, bytes]);
}

function encode(text: string, encoding: string): Buffer {
  if (encoding === "utf-8") return Buffer.from(text, "utf8");
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (encoding !== "windows-1252") {
    throw new ToolError("unsupported", `text in ${encoding} can be read but not written`, {
      hint: "Convert the file to UTF-8 first.",
    });
  }
  const bytes = encodeWindows1252(text);
  if (bytes === undefined) throw cannotHold("a character that encoding lacks", encoding);
  return bytes;
}

function cannotHold(what: string, encoding: string): ToolError {
  return new ToolError("invalid-input", `the text cannot be written in ${encoding}: it contains ${what}`, {
    hint: "Remove the character, or convert the file to UTF-8 first.",
  });
}

/** Gives the new text the encoding, byte order mark and line endings of the old one, if there was one. */
export function shapeLike(
  shape: TextShape | undefined,
  text: string,
  label: string | undefined,
): Pick<TextShape, "encoding" | "hasBom"> & { text: string } {
  const encoding = label === undefined && shape !== undefined ? shape.encoding : standardName(label);
  const hasBom = shape?.hasBom === true && shape.encoding === encoding && !text.startsWith("\ufeff");
  const ending = text.includes("\r") ? undefined : shape?.lineEnding;
  const isKept = ending === "crlf" || ending === "cr";
  return { encoding, hasBom, text: isKept ? withLineEnding(text, ending) : text };
}
