import type { LoggedEvent, TokenUsage } from "../../../kernel/events/index.ts";

export type TokenCount = ReturnType<typeof createTokenCount>;

/**
 * Counts the tokens that a conversation has used, its sub-agents included, and their cost if prices are known: `price` has
 * the dollars per million tokens, as in `3/15/0.3` for input, output and cached input.
 */
export function createTokenCount(price: string | undefined) {
  const prices = readPrices(price);
  let usage: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  let contextTokens = 0;
  const add = (event: LoggedEvent, depth: number): void => {
    if (event.type === "subagent-event") add(event.event, depth + 1);
    const isCounted = event.type === "assistant-message" || event.type === "context-compact";
    if (!isCounted || event.usage === undefined) return;
    const { inputTokens, outputTokens, cachedInputTokens } = event.usage;
    if (depth === 0) contextTokens = contextOf(event) ?? contextTokens;
    usage = {
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
      cachedInputTokens: usage.cachedInputTokens + cachedInputTokens,
    };
  };
  return {
    note: (event: LoggedEvent) => add(event, 0),
    /** Notes that the conversation is at this event, without counting its tokens. */
    noteContext(event: LoggedEvent) {
      contextTokens = contextOf(event) ?? contextTokens;
    },
    get usage() {
      return usage;
    },
    /** The size of the latest prompt with its answer. */
    get contextTokens() {
      return contextTokens;
    },
    get cost() {
      if (prices === undefined) return undefined;
      const fresh = usage.inputTokens - usage.cachedInputTokens;
      const { input, output, cached } = prices;
      return (fresh * input + usage.cachedInputTokens * cached + usage.outputTokens * output) / 1_000_000;
    },
  };
}

/** The size of the next prompt, as far as the event tells; after a summary, about the size of the summary. */
function contextOf(event: LoggedEvent): number | undefined {
  if (event.type === "context-compact") return event.usage?.outputTokens;
  if (event.type !== "assistant-message" || event.usage === undefined) return undefined;
  return event.usage.inputTokens + event.usage.outputTokens;
}

function readPrices(price = ""): { input: number; output: number; cached: number } | undefined {
  const [input, output, cached = input] = price.split("/").map(Number);
  const isKnown = [input, output, cached].every((each) => each !== undefined && Number.isFinite(each));
  return isKnown && price !== "" ? { input: input!, output: output!, cached: cached! } : undefined;
}
