import { createHash } from "../crypto.ts";
import type { ByteSource } from "./byte-source.ts";
import { type ReadChunksOptions, readChunks } from "./read-chunks.ts";

export async function hashSource(
  source: ByteSource,
  options: Pick<ReadChunksOptions, "sizeBytes" | "signal">,
): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of readChunks(source, { ...options, firstByte: 0 })) hash.update(chunk);
  return hash.digest("hex");
}
