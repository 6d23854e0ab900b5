import type { ImageHeader } from "./image-header.ts";

const trailer = 0x3b;

export function readGifHeader(bytes: Buffer): ImageHeader {
  return {
    width: bytes.readUInt16LE(6),
    height: bytes.readUInt16LE(8),
    orientation: 1,
    isComplete: bytes.at(-1) === trailer,
  };
}
