import type { ProviderOptions } from "../../../kernel/events/agent-event.ts";
import { sha256 } from "../../../shared/crypto.ts";

/**
 * Provider options that turn on prompt caching and keep the transcript complete without state on the provider's side.
 * Each provider reads its own entry and ignores the others.
 */
export function cacheHints(cacheKey: string): ProviderOptions {
  return {
    anthropic: { cacheControl: { type: "ephemeral" } },
    openai: { promptCacheKey: shortKey(cacheKey), store: false },
  };
}

/** OpenAI refuses keys of more than 64 characters. */
function shortKey(key: string): string {
  return key.length <= 64 ? key : sha256(key);
}

/** Per provider, `wanted` wins over `given`. */
export function joinProviderOptions(given: ProviderOptions, wanted: ProviderOptions = {}): ProviderOptions {
  const names = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  return Object.fromEntries([...names].map((name) => [name, { ...given[name], ...wanted[name] }]));
}
