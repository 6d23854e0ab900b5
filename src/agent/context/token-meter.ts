import { countOf } from "../../shared/text/count-of.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { AgentBudget } from "../agent-options.ts";

/**
 * Counts what an agent spends on one message. Its parents are charged too, so that a limit holds for a whole tree of
 * agents.
 */
export interface TokenMeter {
  spend(tokens: number): void;
  /** Counts one call, or throws if its own calls or a parent's are used up. */
  chargeCall(): void;
  /** Whether its own limit or a parent's is reached. */
  readonly isSpent: boolean;
  /** Tokens left for it and all its parents. */
  readonly leftTokens: number;
  /** Time left for it and all its parents. */
  readonly leftMs: number;
}

export function createTokenMeter(
  {
    calls: maxCalls = Number.POSITIVE_INFINITY,
    tokens: limit = Number.POSITIVE_INFINITY,
    timeMs = Number.POSITIVE_INFINITY,
  }: AgentBudget = {},
  parent?: TokenMeter,
): TokenMeter {
  const endMs = performance.now() + timeMs;
  let spent = 0;
  let calls = 0;
  const meter: TokenMeter = {
    spend(tokens) {
      spent += tokens;
      parent?.spend(tokens);
    },
    chargeCall() {
      if (calls >= maxCalls) throw outOfCalls(maxCalls);
      parent?.chargeCall();
      calls += 1;
    },
    get isSpent() {
      return spent >= limit || meter.leftMs <= 0 || parent?.isSpent === true;
    },
    get leftTokens() {
      return Math.min(limit - spent, parent?.leftTokens ?? Number.POSITIVE_INFINITY);
    },
    get leftMs() {
      return Math.min(endMs - performance.now(), parent?.leftMs ?? Number.POSITIVE_INFINITY);
    },
  };
  return meter;
}

function outOfCalls(maxCalls: number): ToolError {
  return new ToolError("budget-exceeded", `the agent's budget of ${countOf(maxCalls, "call")} is used up`, {
    hint: "Finish with what you have, or ask for a larger budget.",
  });
}
