import { asFields } from "../../../formats/index.ts";
import type { TokenUsage } from "../../../kernel/events/index.ts";

export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

/** The provider's token count for a step; undefined if it reported none. */
export function readUsage(given: unknown): TokenUsage | undefined {
  const { inputTokens, outputTokens, cachedInputTokens } = asFields(given) ?? {};
  const input = totalOf(inputTokens);
  const output = totalOf(outputTokens);
  if (input === 0 && output === 0) return undefined;
  const cached = asFields(inputTokens)?.cacheRead ?? cachedInputTokens;
  return { inputTokens: input, outputTokens: output, cachedInputTokens: totalOf(cached) };
}

export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  };
}

/** Older versions of the interface give a number, newer ones an object. */
function totalOf(count: unknown): number {
  const total = typeof count === "number" ? count : asFields(count)?.total;
  return typeof total === "number" && total >= 0 && total < Number.POSITIVE_INFINITY ? total : 0;
}

/** Tokens as attributes of a span. */
export function usageAttributes(usage: TokenUsage | undefined): Record<string, number | undefined> {
  return {
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cachedInputTokens || undefined,
  };
}
