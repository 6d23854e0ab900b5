import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { createByteBuffer } from "../../shared/web/byte-buffer.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { describeWebFailure } from "./describe-web-failure.ts";
import type { OpenResponse } from "./guarded-client.ts";

export interface BodyLimits {
  /** Applies to the bytes on the wire and to the decompressed ones alike. */
  readonly maxBytes: number;
  /** Whether a longer body is cut, or refused. */
  readonly onOverflow: "cut" | "refuse";
  readonly signal: AbortSignal;
}

/** Reads and decompresses a body, never more of it than the limit. */
export async function readBody(
  { body, headers, close, url }: OpenResponse,
  { maxBytes, onOverflow, signal }: BodyLimits,
) {
  const abort = () => close();
  signal.addEventListener("abort", abort, { once: true });
  try {
    if (onOverflow === "refuse" && Number(headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
    const read = await collect(decompress(body, headers["content-encoding"], maxBytes), maxBytes);
    if (read.isCut && onOverflow === "refuse") throw tooLarge(maxBytes);
    return read;
  } catch (error) {
    throw describeWebFailure(error, url, { signal });
  } finally {
    signal.removeEventListener("abort", abort);
    close();
  }
}

/** The body without its compression. The compressed bytes are limited here; the others by the reader of the result. */
function decompress(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): AsyncIterable<Uint8Array> {
  const codings = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim());
  const [coding = "", ...more] = codings.filter((name) => name !== "" && name !== "identity");
  if (coding === "" && more.length === 0) return body;
  const create = decoders[coding];
  if (create === undefined || more.length > 0) {
    throw new ToolError("unsupported", `the response is compressed as ${encoding}, which is not supported`);
  }
  const limited = async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
  // The reader of the last stream gets the failure of any.
  return pipeline(body, limited, create(), () => {});
}

const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = Object.assign(
  Object.create(null),
  { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress },
);

async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const held = createByteBuffer();
  for await (const chunk of body) {
    held.push(chunk);
    // Leaving the loop destroys the stream.
    if (held.length > maxBytes) return { bytes: held.take().subarray(0, maxBytes), isCut: true };
  }
  return { bytes: held.take(), isCut: false };
}

function tooLarge(maxBytes: number): ToolError {
  return new ToolError("too-large", `the response is larger than the limit of ${maxBytes} bytes`, {
    hint: "Ask the server for less, or download it as a file.",
  });
}
