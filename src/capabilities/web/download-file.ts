import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeWebFailure, type OpenResponse } from "../../machine/web-client/index.ts";
import { sha256 } from "../../shared/crypto.ts";
import { defined } from "../../shared/options/defined.ts";
import type { WebUrl } from "../../shared/web/parse-web-url.ts";
import { readWebUrl } from "../../tool/read-web-url.ts";
import type { Files } from "../../tool/services/files.ts";
import type { DownloadedFile, DownloadOptions } from "../../tool/services/web.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { describeStatus, ownHeaders, type SendingParts, visit } from "./send-request.ts";

export interface DownloadParts extends SendingParts {
  /** Where the session keeps the beginnings of downloads that were interrupted. */
  readonly folder: string;
  readonly files: Files;
}

const maxDownloadBytes = 100_000_000;

/** Downloads into the state folder, and writes the file into the workspace when it is complete. */
export async function downloadFile(
  address: string,
  path: string,
  { overwrite = false, timeoutMs }: DownloadOptions,
  parts: DownloadParts,
): Promise<DownloadedFile> {
  const url = readWebUrl(address);
  const partial = await openPartial(parts.folder, url);
  const headers = { ...ownHeaders, accept: "*/*", "accept-encoding": "identity", ...partial.resuming };
  const received = await visit(url, { method: "GET", headers, timeoutMs }, parts, (response, signal) =>
    receive(response, partial, signal),
  );
  const written = await parts.files.writeBytes(path, piecesOf(partial.file), { overwrite });
  await partial.remove();
  const { created, sizeBytes, hash } = written;
  return { ...received, path: written.path, created, sizeBytes, hash };
}

/** Reads a file piece by piece. It is opened when the first piece is asked for, and never held as a whole. */
async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { highWaterMark: maxWaitingBytes });
}

type Partial = Awaited<ReturnType<typeof openPartial>>;

/** The beginning of a download that was interrupted, or a new one. */
async function openPartial(folder: string, url: WebUrl) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeForgotten(folder);
  const file = join(folder, sha256(url.href));
  const identity = `${file}.validator`;
  const sizeBytes = (await stat(file).catch(() => undefined))?.size ?? 0;
  const validator = await readFile(identity, "utf8").catch(() => "");
  const canResume = sizeBytes > 0 && validator !== "";
  return {
    file,
    sizeBytes: canResume ? sizeBytes : 0,
    /** Headers that ask for the rest of exactly this content. */
    resuming: canResume ? { range: `bytes=${sizeBytes}-`, "if-range": validator } : {},
    /** Keeps what identifies the content, so that another call can ask for the rest. */
    identify: (text: string) => writeFile(identity, text, { mode: 0o600 }),
    async remove(): Promise<void> {
      await rm(file, { force: true });
      await rm(identity, { force: true });
    },
  };
}

const forgottenAfterMs = 7 * 24 * 60 * 60 * 1000;

async function removeForgotten(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (mtimeMs < Date.now() - forgottenAfterMs) await rm(file, { force: true });
  }
}

async function receive(
  response: OpenResponse,
  partial: Partial,
  signal: AbortSignal,
): Promise<Pick<DownloadedFile, "url" | "contentType" | "resumedAt">> {
  const { status, headers, url } = response;
  const resumedAt = status === 206 ? startOf(headers["content-range"]) : undefined;
  const isExpected = status === 200 || (status === 206 && resumedAt === partial.sizeBytes);
  if (!isExpected) {
    response.close();
    await partial.remove();
    throw response.redirect === undefined ? describeStatus(response) : redirected(response.redirect, url);
  }
  const begin = async () => {
    await partial.identify(validatorOf(headers));
    return open(partial.file, status === 206 ? "a" : "w", 0o600);
  };
  try {
    await saveBody(response, begin(), { maxBytes: maxDownloadBytes - (resumedAt ?? 0), signal });
  } catch (error) {
    if (error instanceof ToolError && error.code === "too-large") await partial.remove();
    throw error;
  }
  const contentType = headers["content-type"] ?? "";
  return { url: url.href, contentType, ...defined({ resumedAt }) };
}

/** Writes the bytes as they were sent. When the connection is lost, the bytes that had arrived are still written. */
async function saveBody(
  { body, headers, url, close }: OpenResponse,
  opening: Promise<FileHandle>,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<void> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let writing: Promise<unknown> = opening;
  let bytes = 0;
  let waitingBytes = 0;
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const write = async (chunk: Uint8Array) => {
    await (await opening).write(chunk);
    waitingBytes -= chunk.length;
    if (waitingBytes === 0) body.resume();
  };
  if (Number(headers["content-length"]) > maxBytes) reject(tooLarge());
  // The body is not iterated: an iterator loses the pieces that it has not handed out when the connection ends.
  body.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    waitingBytes += chunk.length;
    if (bytes > maxBytes) return reject(tooLarge());
    if (waitingBytes > maxWaitingBytes) body.pause();
    writing = writing.then(() => write(chunk));
    writing.catch(reject);
  });
  body.on("end", resolve);
  body.on("error", reject);
  try {
    await ended;
  } catch (error) {
    throw describeWebFailure(error, url, { signal });
  } finally {
    signal.removeEventListener("abort", abort);
    close();
    await writing.catch(() => {});
    await (await opening).close();
  }
}

const maxWaitingBytes = 1_000_000;

function tooLarge(): ToolError {
  return new ToolError("too-large", `the file is larger than the limit of ${maxDownloadBytes} bytes`);
}

function startOf(range = ""): number | undefined {
  const start = /^bytes (\d+)-/.exec(range)?.[1];
  return start === undefined ? undefined : Number(start);
}

/** A weak tag does not promise the same bytes. */
function validatorOf({ etag = "", "last-modified": modified = "" }: OpenResponse["headers"]): string {
  return etag.startsWith('"') ? etag : modified;
}

function redirected(redirect: string, { href }: WebUrl): ToolError {
  return new ToolError("http-error", `${href} redirects to another site: ${redirect}`, {
    hint: "If that is what you want, download it from there.",
  });
}
