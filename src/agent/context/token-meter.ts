import type { AgentBudget } from "../agent-options.ts";

/**
 * What an agent spends for one message. Whatever it spends is spent for those above it, too, so that a limit holds for a
 * whole tree.
 */
export interface TokenMeter {
  spend(tokens: number): void;
  /** Its own limit, or that of one above it. */
  readonly isSpent: boolean;
  /** Until time is up for it or for one above it. */
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
