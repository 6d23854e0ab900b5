import { ToolError } from "../../tool/tool-error.ts";

/** What one run may spend. Anything left out is not limited. */
export interface BudgetLimits {
  readonly calls?: number;
  /** The time tools spend running, added up. */
  readonly wallTimeMs?: number;
  readonly outputBytes?: number;
}

/** How much a session may spend, and has spent. */
export interface SessionBudget {
  readonly limits: BudgetLimits;
  readonly used: Readonly<Required<BudgetLimits>>;
}

export interface Budget extends SessionBudget {
  /** Takes one call, or refuses it before it has begun. */
  chargeCall(): void;
  /** Adds what a call turned out to cost. */
  chargeResult(spent: { wallTimeMs: number; outputBytes: number }): void;
}

/** A child draws on its parent: what it spends is spent for both. */
export function createBudget(limits: BudgetLimits = {}, parent?: Budget): Budget {
  checkLimits(limits);
  const used = { calls: 0, wallTimeMs: 0, outputBytes: 0 };
  return {
    limits,
    used,
    chargeCall() {
      refuseIfSpent(limits, used);
      parent?.chargeCall();
      used.calls += 1;
    },
    chargeResult({ wallTimeMs, outputBytes }) {
      parent?.chargeResult({ wallTimeMs, outputBytes });
      used.wallTimeMs += wallTimeMs;
      used.outputBytes += outputBytes;
    },
  };
}

const budgetNames = {
  calls: "calls",
  wallTimeMs: "ms of running time",
  outputBytes: "bytes of output",
} as const;

function refuseIfSpent(limits: BudgetLimits, used: Required<BudgetLimits>): void {
  for (const key of Object.keys(budgetNames) as (keyof BudgetLimits)[]) {
    const limit = limits[key];
    if (limit === undefined || used[key] < limit) continue;
    throw new ToolError("budget-exceeded", `the budget of ${limit} ${budgetNames[key]} is spent`, {
      hint: "Finish with what you have, or ask for a larger budget.",
    });
  }
}

function checkLimits(limits: BudgetLimits): void {
  for (const [key, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(budgetNames, key)) {
      throw new TypeError(`budget.${key} is not known; expected ${Object.keys(budgetNames).join(", ")}`);
    }
    if (limit === undefined) continue;
    const isCounted = key !== "wallTimeMs";
    if (typeof limit !== "number" || !(limit >= 0) || (isCounted && !Number.isInteger(limit))) {
      const kind = isCounted ? "a whole number" : "a number";
      throw new TypeError(`budget.${key} must be ${kind} of at least 0; received ${limit}`);
    }
  }
}
