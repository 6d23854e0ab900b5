import type { ProviderOptions } from "../../runtime/events/agent-event.ts";
import { sha256 } from "../../shared/sha256.ts";

/**
 * What providers have to be told for a prompt that begins like the one before to be cheap, and for a transcript to be
 * complete without anything on their side. Each reads its own entry and passes over the others.
 */
export function cacheHints(cacheKey: string): ProviderOptions {
  return {
    anthropic: { cacheControl: { type: "ephemeral" } },
    openai: { promptCacheKey: shortKey(cacheKey), store: false },
  };
}

/** A key of more than 64 characters is refused. */
function shortKey(key: string): string {
  return key.length <= 64 ? key : sha256(key);
}

/** Entry by entry, what was asked for wins. */
export function joinProviderOptions(given: ProviderOptions, wanted: ProviderOptions = {}): ProviderOptions {
  const names = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  return Object.fromEntries([...names].map((name) => [name, { ...given[name], ...wanted[name] }]));
}
