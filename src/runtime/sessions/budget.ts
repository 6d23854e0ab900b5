import { knownKeys, value } from "../../shared/options/known-keys.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** What one run may spend. Without a value, there is no limit. */
export interface BudgetLimits {
  readonly calls?: number;
  /** Total time that tools spend running. */
  readonly wallTimeMs?: number;
  readonly outputBytes?: number;
}

export const budgetKeys = knownKeys<BudgetLimits>({ calls: value, wallTimeMs: value, outputBytes: value });

/** How much a session may spend, and has spent. */
export interface SessionBudget {
  readonly limits: BudgetLimits;
  readonly used: Readonly<Required<BudgetLimits>>;
}

export interface Budget extends SessionBudget {
  /** Counts one call, or throws if the budget is used up. */
  chargeCall(): void;
  /** Adds the measured cost of a call. */
  chargeResult(spent: { wallTimeMs: number; outputBytes: number }): void;
}

/** A child's spending also counts against its parent's budget. */
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

const describeLimit: Readonly<Record<keyof BudgetLimits, (limit: number) => string>> = {
  calls: (limit) => countOf(limit, "call"),
  wallTimeMs: (limit) => `${limit} ms of running time`,
  outputBytes: (limit) => `${countOf(limit, "byte")} of output`,
};

function refuseIfSpent(limits: BudgetLimits, used: Required<BudgetLimits>): void {
  for (const key of Object.keys(describeLimit) as (keyof BudgetLimits)[]) {
    const limit = limits[key];
    if (limit === undefined || used[key] < limit) continue;
    throw new ToolError("budget-exceeded", `the budget of ${describeLimit[key](limit)} is used up`, {
      hint: "Finish with what you have, or ask for a larger budget.",
    });
  }
}

function checkLimits(limits: BudgetLimits): void {
  for (const [key, limit] of Object.entries(limits)) {
    if (limit === undefined) continue;
    const isCounted = key !== "wallTimeMs";
    if (typeof limit !== "number" || !(limit >= 0) || (isCounted && !Number.isInteger(limit))) {
      const kind = isCounted ? "a whole number" : "a number";
      throw new TypeError(`budget.${key} must be ${kind} of at least 0; received ${limit}`);
    }
  }
}
