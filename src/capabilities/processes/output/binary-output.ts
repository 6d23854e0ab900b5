import { isUtf8 } from "node:buffer";
import { wholeEnd } from "./whole-characters.ts";

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
