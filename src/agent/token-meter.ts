/** What an agent spends. Whatever it spends is spent for those above it, too, so that a limit holds for a whole tree. */
export interface TokenMeter {
  spend(tokens: number): void;
  /** Its own limit, or that of one above it. */
  readonly isSpent: boolean;
}

export function createTokenMeter(limit = Number.POSITIVE_INFINITY, parent?: TokenMeter): TokenMeter {
  let spent = 0;
  return {
    spend(tokens) {
      spent += tokens;
      parent?.spend(tokens);
    },
    get isSpent() {
      return spent >= limit || parent?.isSpent === true;
    },
  };
}
