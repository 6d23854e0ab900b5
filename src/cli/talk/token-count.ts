import type { TokenUsage } from "../../runtime/events/agent-event.ts";
import type { LoggedEvent } from "../../runtime/events/session-event.ts";

/** The tokens that a conversation has used, its sub-agents included, and what they cost where prices are known. */
export interface TokenCount {
  note(event: LoggedEvent): void;
  /** Counts nothing: says that the conversation is at this event. */
  noteContext(event: LoggedEvent): void;
  readonly usage: TokenUsage;
  readonly cost: number | undefined;
  /** The size of the latest prompt with its answer. */
  readonly contextTokens: number;
}

/** `price`: dollars per million tokens, as in `3/15/0.3` for input, output and cached input. */
export function createTokenCount(price: string | undefined): TokenCount {
  const prices = readPrices(price);
  let usage: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  let contextTokens = 0;
  const add = (event: LoggedEvent, depth: number): void => {
    if (event.type === "subagent-event") add(event.event, depth + 1);
    if (event.type !== "assistant-message" || event.usage === undefined) return;
    const { inputTokens, outputTokens, cachedInputTokens } = event.usage;
    if (depth === 0) contextTokens = inputTokens + outputTokens;
    usage = {
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
      cachedInputTokens: usage.cachedInputTokens + cachedInputTokens,
    };
  };
  return {
    note: (event) => add(event, 0),
    noteContext(event) {
      if (event.type === "assistant-message" && event.usage !== undefined)
        contextTokens = event.usage.inputTokens + event.usage.outputTokens;
    },
    get usage() {
      return usage;
    },
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

function readPrices(price = ""): { input: number; output: number; cached: number } | undefined {
  const [input, output, cached = input] = price.split("/").map(Number);
  const isKnown = [input, output, cached].every((each) => each !== undefined && Number.isFinite(each));
  return isKnown && price !== "" ? { input: input!, output: output!, cached: cached! } : undefined;
}
