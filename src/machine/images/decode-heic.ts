import { createRequire } from "node:module";
import { askThread } from "../child/index.ts";
import type { Pixels } from "./encode-pixels.ts";
import { brokenImage, missingPackage } from "./image-errors.ts";

/**
 * Decodes the HEIC image of the given size, rotated as its container says.
 * The decoder blocks its thread and prints warnings to the console, so it gets a thread, which hands its millions of pixels
 * over instead of copying them.
 */
export async function decodeHeic(bytes: Buffer, size: { width: number; height: number }): Promise<Pixels> {
  const task = { decoder: findDecoder(), bytes: withKnownBrand(bytes), ...size };
  try {
    const data = await askThread<Uint8ClampedArray<ArrayBuffer>>({ source: work }, task, {
      timeoutMs: 60_000,
      maxHeapMb: 1024,
      tooMuch: (limit) => new Error(`it could not be decoded ${limit}`),
    });
    return { ...size, channels: 4, data: Buffer.from(data.buffer) };
  } catch (cause) {
    throw brokenImage("heic", cause);
  }
}

// Only the main image is decoded, because its size is the one that was checked.
const work = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", async ({ ask: answer, given: { decoder, bytes, width, height } }) => {
  try {
    const images = await require(decoder).all({ buffer: bytes });
    const image = images.find((each) => each.width === width && each.height === height);
    if (image === undefined) throw new Error("it holds no image of the size that it tells");
    const { data } = await image.decode();
    parentPort.postMessage({ answer, value: data }, [data.buffer]);
  } catch (error) {
    parentPort.postMessage({ answer, failure: { message: String(error?.message ?? error) } });
  }
});`;

function findDecoder(): string {
  try {
    return createRequire(import.meta.url).resolve("heic-decode");
  } catch {
    throw missingPackage("heic-decode", "reading a HEIC image");
  }
}

/** The decoder rejects some valid main brands; the brands were checked before. */
function withKnownBrand(bytes: Buffer): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(Buffer.from("heic"), 8);
  return copy;
}
