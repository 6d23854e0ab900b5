import { setTimeout as wait } from "node:timers/promises";
import { asFields, asFieldsList, type Fields } from "../../../formats/index.ts";
import type { AgentOptions } from "../agent-options.ts";
import { ModelConnectionLost } from "./stream-step.ts";

interface RetryOptions extends Pick<AgentOptions, "maxRetries" | "retryDelayMs"> {
  readonly signal: AbortSignal;
  onRetry?(retry: { attempt: number; delayMs: number; error: unknown }): void;
}

/** Retries the work, with growing delays, as long as it fails for a transient reason. */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  { maxRetries = 5, retryDelayMs = 1000, signal, onRetry }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = attempt > maxRetries ? undefined : delayOf(error, retryDelayMs * 2 ** (attempt - 1));
      if (delayMs === undefined) throw error;
      onRetry?.({ attempt, delayMs, error });
      await wait(delayMs, undefined, { signal });
    }
  }
}

// A person at a terminal does not wait longer than this; the error is reported instead.
const maxAskedDelayMs = 120_000;
const maxOwnDelayMs = 30_000;

/** How long to wait before the next attempt; undefined if a retry would not help. */
function delayOf(error: unknown, growingMs: number): number | undefined {
  if (!isTransient(error)) return undefined;
  const asked = delayInHeaders(error) ?? delayInBody(error);
  if (asked !== undefined) return asked <= maxAskedDelayMs ? asked : undefined;
  // Jitter, so that clients refused together do not retry together.
  return Math.min(growingMs, maxOwnDelayMs) * (0.75 + Math.random() / 2);
}

/** Providers mark the errors they recognise as retryable; others are judged by their status, code or type. */
function isTransient(error: unknown, depth = 0): boolean {
  if (error instanceof ModelConnectionLost) return true;
  const fields = asFields(error);
  if (fields === undefined || depth > 5) return false;
  const { isRetryable, statusCode, code, type, cause, error: inner } = fields;
  if (isBrokenOff(fields) || garbledNames.has(fields.name)) return true;
  if (isPermanent(asFields(cause)?.code)) return false;
  if (typeof isRetryable === "boolean") return isRetryable || isTransient(cause, depth + 1);
  // Some providers report an error within a stream with the HTTP status as its code.
  const status = typeof statusCode === "number" ? statusCode : code;
  if (typeof status === "number") return status === 408 || status === 429 || status >= 500;
  if (transientCodes.has(code) || transientTypes.has(type) || transientTypes.has(code)) return true;
  return isTransient(cause, depth + 1) || isTransient(inner, depth + 1);
}

/** The AI SDK's error for an answer that ended early: it names no invalid data. */
function isBrokenOff({ name, data }: Fields): boolean {
  return name === "AI_InvalidResponseDataError" && data === undefined;
}

/** The AI SDK's errors for an answer that is not the provider's, such as a proxy's error page. */
const garbledNames: ReadonlySet<unknown> = new Set(["AI_JSONParseError", "AI_TypeValidationError"]);

/** A wrong address or certificate, or a server that is not running, stays so, though it is reported as a failed connection. */
function isPermanent(code: unknown): boolean {
  return (
    typeof code === "string" &&
    /^ECONNREFUSED$|^ERR_(?:SSL|TLS|INVALID_URL)|SELF_SIGNED|^UNABLE_TO_|^CERT_/.test(code)
  );
}

const transientCodes: ReadonlySet<unknown> = new Set([
  ..."ECONNRESET ECONNABORTED ETIMEDOUT EPIPE EAI_AGAIN ENOTFOUND ENETUNREACH EHOSTUNREACH".split(" "),
  ...["SOCKET", "CONNECT_TIMEOUT", "HEADERS_TIMEOUT", "BODY_TIMEOUT"].map((code) => `UND_ERR_${code}`),
]);

/** Vendors' names for transient errors within a stream. */
const transientTypes: ReadonlySet<unknown> = new Set([
  "overloaded_error",
  "rate_limit_error",
  "api_error",
  "timeout_error",
  "server_error",
  "rate_limit_exceeded",
  "too_many_requests",
]);

/** Some providers put `34s` in the body. */
function delayInBody(error: unknown): number | undefined {
  const { details } = asFields(asFields(asFields(error)?.data)?.error) ?? {};
  const delays = asFieldsList(details).map(
    ({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1],
  );
  const delay = delays.find((each) => each !== undefined);
  return delay === undefined ? undefined : Number(delay) * 1000;
}

/** `retry-after` is in seconds or a date, `retry-after-ms` in milliseconds. */
function delayInHeaders(error: unknown): number | undefined {
  const headers = asFields(asFields(error)?.responseHeaders);
  const exact = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (exact >= 0) return exact;
  const given = headers?.["retry-after"];
  if (typeof given !== "string" || given === "") return undefined;
  const milliseconds = Number.isNaN(Number(given)) ? Date.parse(given) - Date.now() : Number(given) * 1000;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
