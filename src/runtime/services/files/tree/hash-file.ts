import { open } from "node:fs/promises";
import { hashSource } from "./hash-source.ts";

export async function hashFile(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return await hashSource(handle, { sizeBytes: size, signal: never });
  } finally {
    await handle.close();
  }
}

const never = new AbortController().signal;
