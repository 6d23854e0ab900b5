import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { brokenImage } from "./broken-image.ts";
import { missingPackage } from "./missing-package.ts";
import type { Pixels } from "./pixels.ts";

/**
 * Decodes the HEIC image of the given size, rotated as its container says.
 * The decoder blocks its thread and prints warnings to the console, so it gets a worker, which is stopped on timeout. It is not
 * one of the child room, because its millions of pixels are handed over instead of copied.
 */
export async function decodeHeic(bytes: Buffer, size: { width: number; height: number }): Promise<Pixels> {
  const workerData = { decoder: findDecoder(), bytes: withKnownBrand(bytes), ...size };
  const worker = new Worker(work, {
    eval: true,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData,
  });
  const timeUp = setTimeout(() => worker.terminate(), maxDecodeMs);
  try {
    const answer = await answerOf(worker);
    if (answer.status === "failed") throw new Error(answer.message);
    return { ...size, channels: 4, data: Buffer.from(answer.data.buffer) };
  } catch (cause) {
    throw brokenImage("heic", cause);
  } finally {
    clearTimeout(timeUp);
    await worker.terminate();
  }
}

type WorkerAnswer =
  | { readonly status: "done"; readonly data: Uint8ClampedArray<ArrayBuffer> }
  | { readonly status: "failed"; readonly message: string };

/** Keeps an error listener to the end: an unhandled worker error would end the process. */
function answerOf(worker: Worker): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("the decoder gave up, or took too long")));
  });
}

const maxDecodeMs = 60_000;

// Only the main image is decoded, because its size is the one that was checked.
const work = `
const { parentPort, workerData } = require("node:worker_threads");
const { decoder, bytes, width, height } = workerData;
(async () => {
  const images = await require(decoder).all({ buffer: bytes });
  const image = images.find((each) => each.width === width && each.height === height);
  if (image === undefined) throw new Error("it holds no image of the size that it tells");
  const { data } = await image.decode();
  parentPort.postMessage({ status: "done", data }, [data.buffer]);
})().catch((error) => parentPort.postMessage({ status: "failed", message: String(error?.message ?? error) }));`;

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
