import type { ModelPrices, TokenUsage } from "../../../kernel/events/agent-event.ts";
import type { Budget } from "../../../kernel/session/budget.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { AgentSpending } from "./agent-host.ts";

/** Charges the cost of the session's model to the session's budget and those of its parents. */
export function createSpending(
  budget: Budget,
  prices: ModelPrices = {},
): Omit<AgentSpending, "meter" | "messageUse"> {
  const costOf = (model: string, { inputTokens, outputTokens, cachedInputTokens }: TokenUsage) => {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (price === undefined) {
      // Without a price, a limit on money would hold nothing back.
      if (budget.left("cost") === Number.POSITIVE_INFINITY) return 0;
      throw new ToolError(
        "unavailable",
        `there is a budget for the model's cost, but no price for ${model}`,
        {
          hint: "Add it to the option prices.",
        },
      );
    }
    const { input, output, cachedInput = input } = price;
    const fresh = inputTokens - cachedInputTokens;
    return (fresh * input + cachedInputTokens * cachedInput + outputTokens * output) / 1_000_000;
  };
  const amountOf = (model: string, usage: TokenUsage) => ({
    tokens: usage.inputTokens + usage.outputTokens,
    cost: costOf(model, usage),
  });
  return {
    check: (model) => void costOf(model, { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }),
    charge: (model, usage) => budget.chargeTokens(amountOf(model, usage)),
    reserve: (model, usage) => budget.reserve(amountOf(model, usage)),
    leftTokens: () => budget.left("tokens"),
    isSpent: () => budget.left("tokens") <= 0 || budget.left("cost") <= 0,
  };
}
