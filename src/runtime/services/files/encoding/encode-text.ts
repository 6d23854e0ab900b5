import { ToolError } from "../../../../tool/tool-error.ts";
import { byteOrderMarks } from "./byte-order-mark.ts";
import type { TextShape } from "./text-shape.ts";
import { encodeWindows1252 } from "./windows-1252.ts";

/** The bytes of a text in the encoding that it came in; what that cannot hold is refused, never replaced. */
export function encodeText(
  text: string,
  { encoding, hasBom }: Pick<TextShape, "encoding" | "hasBom">,
): Buffer {
  if (!text.isWellFormed()) throw cannotHold("half of a character (a lone UTF-16 surrogate)", encoding);
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
  if (bytes === undefined) throw cannotHold("a character that is not in it", encoding);
  return bytes;
}

function cannotHold(what: string, encoding: string): ToolError {
  return new ToolError("invalid-input", `the text holds ${what}, so it cannot be written in ${encoding}`, {
    hint: "Leave the character out, or convert the file to UTF-8 first.",
  });
}
