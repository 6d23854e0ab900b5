import { setTimeout as wait } from "node:timers/promises";
import { asFields, asFieldsList, type Fields } from "../../interop/fields.ts";
import { ModelConnectionLost } from "./stream-step.ts";

export interface RetryOptions {
  readonly maxRetries: number;
  /** Before the first time; doubled each time. */
  readonly firstDelayMs: number;
  readonly signal: AbortSignal;
  onRetry(retry: { attempt: number; delayMs: number; error: unknown }): void;
}

/** Does the work again, ever later, as long as it fails for a reason that may pass. */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  { maxRetries, firstDelayMs, signal, onRetry }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = attempt > maxRetries ? undefined : delayOf(error, firstDelayMs * 2 ** (attempt - 1));
      if (delayMs === undefined) throw error;
      onRetry({ attempt, delayMs, error });
      await wait(delayMs, undefined, { signal });
    }
  }
}

// Longer than this nobody waits at a terminal; the reason is told instead.
const maxAskedDelayMs = 120_000;
const maxOwnDelayMs = 30_000;

/** How long to wait before the next time; undefined where that would not help. */
function delayOf(error: unknown, growingMs: number): number | undefined {
  if (!mayPass(error)) return undefined;
  const asked = askedDelayMs(error);
  if (asked !== undefined) return asked <= maxAskedDelayMs ? asked : undefined;
  // Not all who were turned away at once should come back at once.
  return Math.min(growingMs, maxOwnDelayMs) * (0.75 + Math.random() / 2);
}

/** Providers say so of what they have recognised; all else shows in a status, a code or a type. */
function mayPass(error: unknown, depth = 0): boolean {
  if (error instanceof ModelConnectionLost) return true;
  const fields = asFields(error);
  if (fields === undefined || depth > 5) return false;
  const { isRetryable, statusCode, code, type, cause, error: inner } = fields;
  if (isBrokenOff(fields) || garbledNames.has(fields.name)) return true;
  if (isHopeless(asFields(cause)?.code)) return false;
  if (typeof isRetryable === "boolean") return isRetryable || mayPass(cause, depth + 1);
  // Some tell of it in the middle of a stream with the same number.
  const status = typeof statusCode === "number" ? statusCode : code;
  if (typeof status === "number") return status === 408 || status === 429 || status >= 500;
  if (passingCodes.has(code) || passingTypes.has(type) || passingTypes.has(code)) return true;
  return mayPass(cause, depth + 1) || mayPass(inner, depth + 1);
}

/** How the AI SDK tells of an answer that ended without its last word: there is nothing that would be invalid. */
function isBrokenOff({ name, data }: Fields): boolean {
  return name === "AI_InvalidResponseDataError" && data === undefined;
}

/** How the AI SDK tells of an answer that is not what a provider writes, such as a page of a server in between. */
const garbledNames: ReadonlySet<unknown> = new Set(["AI_JSONParseError", "AI_TypeValidationError"]);

/** What is wrong with an address or a certificate stays wrong, though providers call it a connection that failed. */
function isHopeless(code: unknown): boolean {
  return typeof code === "string" && /^ERR_(?:SSL|TLS|INVALID_URL)|SELF_SIGNED|^UNABLE_TO_|^CERT_/.test(code);
}

const passingCodes: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ETIMEDOUT",
  "EPIPE",
  "EAI_AGAIN",
  "ENOTFOUND",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** What vendors call it when they tell of it in the middle of a stream. */
const passingTypes: ReadonlySet<unknown> = new Set([
  "overloaded_error",
  "rate_limit_error",
  "api_error",
  "timeout_error",
  "server_error",
  "rate_limit_exceeded",
  "too_many_requests",
]);

/** `retry-after` is in seconds or a date, `retry-after-ms` in milliseconds; some say it in the body, as `34s`. */
function askedDelayMs(error: unknown): number | undefined {
  return delayInHeaders(error) ?? delayInBody(error);
}

function delayInBody(error: unknown): number | undefined {
  const { details } = asFields(asFields(asFields(error)?.data)?.error) ?? {};
  const delays = asFieldsList(details).map(
    ({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1],
  );
  const delay = delays.find((each) => each !== undefined);
  return delay === undefined ? undefined : Number(delay) * 1000;
}

function delayInHeaders(error: unknown): number | undefined {
  const headers = asFields(asFields(error)?.responseHeaders);
  const exact = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (exact >= 0) return exact;
  const given = headers?.["retry-after"];
  if (typeof given !== "string" || given === "") return undefined;
  const milliseconds = Number.isNaN(Number(given)) ? Date.parse(given) - Date.now() : Number(given) * 1000;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
