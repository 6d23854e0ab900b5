import type { ByteSource } from "../files/byte-source.ts";
import { byteOrderMarks } from "./byte-order-mark.ts";

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

interface FileFormat {
  readonly name: string;
  readonly mediaType: string;
  /** True if no text starts like this. Otherwise a NUL further on has to confirm the format. */
  readonly isCertain: boolean;
}

/** Recognises a format by its first bytes. */
function identifyFormat(head: Buffer): FileFormat | undefined {
  return signatures.find(({ parts }) =>
    parts.every(({ at, bytes }) => head.subarray(at, at + bytes.length).equals(bytes)),
  );
}

const signatures = [
  certain("PDF document", "application/pdf", "%PDF-"),
  certain("PNG image", "image/png", "\x89PNG\r\n\x1a\n"),
  certain("JPEG image", "image/jpeg", "\xff\xd8\xff"),
  likely("GIF image", "image/gif", "GIF87a"),
  likely("GIF image", "image/gif", "GIF89a"),
  likely("WebP image", "image/webp", "RIFF", [8, "WEBP"]),
  likely("WAV audio", "audio/wav", "RIFF", [8, "WAVE"]),
  certain("TIFF image", "image/tiff", "II*\0"),
  certain("TIFF image", "image/tiff", "MM\0*"),
  likely("AVIF image", "image/avif", "", [4, "ftypavif"]),
  likely("AVIF image", "image/avif", "", [4, "ftypavis"]),
  likely("HEIC image", "image/heic", "", [4, "ftyphei"]),
  likely("HEIC image", "image/heic", "", [4, "ftyphev"]),
  likely("HEIC image", "image/heic", "", [4, "ftypmsf1"]),
  likely("HEIC image", "image/heic", "", [4, "ftypmif1"]),
  likely("MP4 video", "video/mp4", "", [4, "ftyp"]),
  certain("icon", "image/x-icon", "\0\0\x01\0"),
  certain("ZIP archive", "application/zip", "PK\x03\x04"),
  certain("gzip archive", "application/gzip", "\x1f\x8b"),
  certain("xz archive", "application/x-xz", "\xfd7zXZ\0"),
  certain("Zstandard archive", "application/zstd", "\x28\xb5\x2f\xfd"),
  certain("7-Zip archive", "application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"),
  likely("bzip2 archive", "application/x-bzip2", "BZh"),
  likely("tar archive", "application/x-tar", "", [257, "ustar"]),
  certain("ELF program", "application/x-elf", "\x7fELF"),
  certain("WebAssembly module", "application/wasm", "\0asm"),
  certain("Java class", "application/java-vm", "\xca\xfe\xba\xbe"),
  certain("Mach-O program", "application/x-mach-binary", "\xcf\xfa\xed\xfe"),
  likely("Windows program", "application/vnd.microsoft.portable-executable", "MZ"),
  certain("SQLite database", "application/vnd.sqlite3", "SQLite format 3\0"),
  likely("MP3 audio", "audio/mpeg", "ID3"),
  likely("Ogg media", "application/ogg", "OggS"),
  likely("FLAC audio", "audio/flac", "fLaC"),
  certain("Matroska or WebM video", "video/webm", "\x1a\x45\xdf\xa3"),
  likely("WOFF font", "font/woff", "wOFF"),
  likely("WOFF2 font", "font/woff2", "wOF2"),
  certain("TrueType font", "font/ttf", "\0\x01\0\0"),
  likely("OpenType font", "font/otf", "OTTO"),
];

type Part = [at: number, latin1: string];

function certain(name: string, mediaType: string, start: string, ...more: Part[]) {
  return { name, mediaType, isCertain: true, parts: toParts([0, start], ...more) };
}

function likely(name: string, mediaType: string, start: string, ...more: Part[]) {
  return { name, mediaType, isCertain: false, parts: toParts([0, start], ...more) };
}

function toParts(...parts: Part[]) {
  return parts.map(([at, latin1]) => ({ at, bytes: Buffer.from(latin1, "latin1") }));
}
