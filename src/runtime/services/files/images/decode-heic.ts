import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { brokenImage } from "./broken-image.ts";
import { missingPackage } from "./missing-package.ts";
import type { Pixels } from "./pixels.ts";

/**
 * The pixels of the HEIC image of this size, turned upright as its container says.
 * The decoder computes without a pause and writes its complaints to the output, so it has a thread of its own that is
 * stopped when it takes too long.
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

/** Listens to the very end: an error that nobody hears would end the whole process. */
function answerOf(worker: Worker): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("the decoder gave up, or took too long")));
  });
}

const maxDecodeMs = 60_000;

// Only the image whose size was checked is decoded; that is the main one, wherever it stands among the others.
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

/** The decoder knows few main brands; here the brands have been looked at already. */
function withKnownBrand(bytes: Buffer): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(Buffer.from("heic"), 8);
  return copy;
}
