import type { ByteSource } from "../files/byte-source.ts";
import { byteOrderMarks } from "./byte-order-mark.ts";
import { type FileFormat, identifyFormat } from "./file-format.ts";

export type Content =
  | {
      readonly kind: "text";
      readonly mediaType: "text/plain";
      readonly encoding: string;
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
  for (const [encoding, bytes] of byteOrderMarks) {
    if (!head.subarray(0, bytes.length).equals(bytes)) continue;
    return { kind: "text", mediaType: "text/plain", encoding, byteOrderMarkBytes: bytes.length };
  }
  if (head.includes(0)) {
    return { kind: "binary", mediaType: format?.mediaType ?? "application/octet-stream", format };
  }
  return { kind: "text", mediaType: "text/plain", encoding: "utf-8", byteOrderMarkBytes: 0 };
}
