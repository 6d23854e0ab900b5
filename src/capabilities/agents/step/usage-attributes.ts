import type { TokenUsage } from "../../../kernel/events/agent-event.ts";

/** Tokens as attributes of a span. */
export function usageAttributes(usage: TokenUsage | undefined): Record<string, number | undefined> {
  return {
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cachedInputTokens || undefined,
  };
}
