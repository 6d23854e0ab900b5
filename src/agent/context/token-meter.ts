import type { AgentBudget } from "../agent-options.ts";

/**
 * Counts what an agent spends on one message. Its parents are charged too, so that a limit holds for a whole tree of
 * agents.
 */
export interface TokenMeter {
  spend(tokens: number): void;
  /** Whether its own limit or a parent's is reached. */
  readonly isSpent: boolean;
  /** Time left for it and all its parents. */
  readonly leftMs: number;
}

export function createTokenMeter(
  { tokens: limit = Number.POSITIVE_INFINITY, timeMs = Number.POSITIVE_INFINITY }: AgentBudget = {},
  parent?: TokenMeter,
): TokenMeter {
  const endMs = performance.now() + timeMs;
  let spent = 0;
  const meter: TokenMeter = {
    spend(tokens) {
      spent += tokens;
      parent?.spend(tokens);
    },
    get isSpent() {
      return spent >= limit || meter.leftMs <= 0 || parent?.isSpent === true;
    },
    get leftMs() {
      return Math.min(endMs - performance.now(), parent?.leftMs ?? Number.POSITIVE_INFINITY);
    },
  };
  return meter;
}
