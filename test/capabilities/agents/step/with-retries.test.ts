import { expect, test } from "vitest";
import { ModelConnectionLost } from "../../../../src/capabilities/agents/step/stream-step.ts";
import { withRetries } from "../../../../src/capabilities/agents/step/with-retries.ts";

/** How long each wait would be for work that fails in this way every time, until it is given up. */
async function delaysFor(error: unknown, maxRetries = 1): Promise<number[]> {
  const delays: number[] = [];
  const stop = new AbortController();
  const work = () => Promise.reject(error);
  const onRetry = ({ delayMs }: { delayMs: number }) => {
    delays.push(delayMs);
    // Nobody waits for it here.
    if (delayMs > 50) stop.abort();
  };
  const options = { maxRetries, retryDelayMs: 1, signal: stop.signal, onRetry };
  await expect(withRetries(work, options)).rejects.toBeDefined();
  return delays;
}

function refused(statusCode: number, responseHeaders: Record<string, string> = {}) {
  return Object.assign(new Error("no"), { statusCode, responseHeaders });
}

test("the wait before a retry is as long as the server asks for", async () => {
  expect(await delaysFor(refused(429, { "retry-after-ms": "7" }))).toEqual([7]);
  expect(await delaysFor(refused(429, { "retry-after": "2" }))).toEqual([2000]);
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  const [delay] = await delaysFor(refused(503, { "retry-after": inAMinute }));
  expect(delay).toBeGreaterThan(50_000);
  expect(await delaysFor(refused(503, { "retry-after": new Date(0).toUTCString() }))).toEqual([0]);
});

test("a wait of a day before a retry is not made, and the request fails", async () => {
  expect(await delaysFor(refused(429, { "retry-after": "86400" }))).toEqual([]);
});

test("the wait before a retry is about twice the one before, if the server asks for none", async () => {
  const delays = await delaysFor(refused(500), 5);
  expect(delays).toHaveLength(5);
  for (const [index, delay] of delays.entries()) {
    expect(delay).toBeGreaterThanOrEqual(0.75 * 2 ** index);
    expect(delay).toBeLessThanOrEqual(1.25 * 2 ** index);
  }
});

test.each([
  ["a lost connection", new ModelConnectionLost("gone")],
  ["a network fault inside another error", new TypeError("fetch failed", { cause: { code: "ECONNRESET" } })],
  ["an overload told in the stream", { type: "overloaded_error", message: "Overloaded" }],
  ["a rate limit told in the stream", { error: { code: "rate_limit_exceeded" } }],
  ["an overload told in the stream as a number", { error: { code: 502, message: "Bad gateway" } }],
  ["an answer that is no JSON", Object.assign(new Error("no"), { name: "AI_JSONParseError" })],
  ["what the provider says may pass", Object.assign(new Error("no"), { isRetryable: true })],
])("%s is tried again", async (_what, error) => {
  expect(await delaysFor(error)).toHaveLength(1);
});

test.each([
  ["a wrong key", refused(401)],
  ["a wrong request", refused(400)],
  ["a wrong request told in the stream", { error: { code: 400, message: "wrong" } }],
  ["what the provider says will not pass", Object.assign(new Error("no"), { isRetryable: false })],
  ["anything else", new Error("a mistake in the code")],
  ["nothing at all", undefined],
])("%s is not tried again", async (_what, error) => {
  const tries: unknown[] = [];
  const work = () => Promise.reject(error);
  const options = { maxRetries: 3, retryDelayMs: 1, signal: new AbortController().signal };
  const trying = withRetries(work, { ...options, onRetry: (retry) => tries.push(retry) });
  await trying.catch(() => {});
  expect(tries).toEqual([]);
});
