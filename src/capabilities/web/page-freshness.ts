import type { IncomingHttpHeaders } from "node:http";
import type { CachedPage } from "./page-cache.ts";

/** How long a page may be used again, and how to ask whether it has changed (RFC 9111). Undefined: it may not be kept. */
export function freshnessOf(
  headers: IncomingHttpHeaders,
  { nowMs, mayGuess }: { nowMs: number; mayGuess: boolean },
): Pick<CachedPage, "validators" | "freshUntilMs"> | undefined {
  const control = readControl(headers["cache-control"]);
  if (control.has("no-store") || headers["set-cookie"] !== undefined || headers.vary?.trim() === "*")
    return undefined;
  const { etag, "last-modified": modified } = headers;
  const validators = {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(modified !== undefined && { "if-modified-since": modified }),
  };
  const lifetimeMs = Math.min(lifetimeOf(headers, control, { nowMs, mayGuess }), maxLifetimeMs);
  if (lifetimeMs <= 0 && Object.keys(validators).length === 0) return undefined;
  return { validators, freshUntilMs: nowMs + Math.max(0, lifetimeMs) };
}

const maxLifetimeMs = 24 * 60 * 60 * 1000;

// Long enough to read a page in several parts.
const guessedLifetimeMs = 5 * 60 * 1000;

function lifetimeOf(
  headers: IncomingHttpHeaders,
  control: ReadonlyMap<string, string>,
  { nowMs, mayGuess }: { nowMs: number; mayGuess: boolean },
): number {
  if (control.has("no-cache")) return 0;
  const ageMs = 1000 * (Number(headers.age) || 0);
  const maxAge = control.get("max-age");
  if (maxAge !== undefined) return 1000 * (Number(maxAge) || 0) - ageMs;
  if (headers.expires !== undefined) return (Date.parse(headers.expires) || 0) - nowMs;
  return mayGuess ? guessedLifetimeMs : 0;
}

function readControl(header = ""): Map<string, string> {
  const directives = header.toLowerCase().split(",");
  return new Map(
    directives.map((directive) => {
      const [name = "", value = ""] = directive.split("=");
      return [name.trim(), value.trim().replace(/^"|"$/g, "")];
    }),
  );
}
