import type { ByteSource } from "../../../shared/files/byte-source.ts";
import { type FileFormat, identifyFormat } from "./file-format.ts";

export type Content =
  | {
      readonly kind: "text";
      readonly mediaType: "text/plain";
      readonly encoding: "utf-8" | "utf-16le" | "utf-16be";
      readonly byteOrderMarkBytes: number;
    }
  | { readonly kind: "binary"; readonly mediaType: string; readonly format: FileFormat | undefined };

const headBytes = 512;

export async function readFileHead(source: ByteSource): Promise<Buffer> {
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await source.read(head, 0, headBytes, 0);
  return head.subarray(0, bytesRead);
}

/** Tells text from binary data by a file's first bytes. */
export function classifyContent(head: Buffer): Content {
  const format = identifyFormat(head);
  if (format?.isCertain) return { kind: "binary", mediaType: format.mediaType, format };
  const mark = byteOrderMarks.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  if (mark !== undefined) {
    const { encoding, bytes } = mark;
    return { kind: "text", mediaType: "text/plain", encoding, byteOrderMarkBytes: bytes.length };
  }
  if (head.includes(0)) {
    return { kind: "binary", mediaType: format?.mediaType ?? "application/octet-stream", format };
  }
  return { kind: "text", mediaType: "text/plain", encoding: "utf-8", byteOrderMarkBytes: 0 };
}

const byteOrderMarks = [
  { encoding: "utf-8", bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", bytes: Buffer.from([0xfe, 0xff]) },
] as const;
