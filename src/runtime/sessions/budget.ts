import { isPlainObject } from "../../shared/json.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Store } from "../store/store.ts";
import type { SessionLog } from "./session-log.ts";

/** What a session may spend, however often it is opened again. Without a value, there is no limit. */
export interface BudgetLimits {
  readonly calls?: number;
  /** Total time that tools spend running. */
  readonly wallTimeMs?: number;
  readonly outputBytes?: number;
  /** After this time, counted from the first call, all of it may be spent again. Default: never. */
  readonly periodMs?: number;
}

type BudgetUse = Required<Omit<BudgetLimits, "periodMs">>;

export const budgetKeys = knownKeys<BudgetLimits>({
  calls: value,
  wallTimeMs: value,
  outputBytes: value,
  periodMs: value,
});

/** How much a session may spend, and has spent. */
export interface SessionBudget {
  readonly limits: BudgetLimits;
  readonly used: Readonly<Required<Omit<BudgetLimits, "periodMs">>>;
}

export interface Budget extends SessionBudget {
  /** Counts one call, or throws if the budget is used up. */
  chargeCall(): void;
  /** Adds the measured cost of a call. */
  chargeResult(spent: { wallTimeMs: number; outputBytes: number }): void;
}

/** What was spent before, and where to record what is spent from now on. */
export interface Spending {
  readonly before: BudgetUse;
  /** When the period began; milliseconds since the epoch. */
  readonly since?: number | undefined;
  note(used: BudgetUse & { readonly since?: number }): void;
}

/** A child's spending also counts against its parent's budget. */
export function createBudget(limits: BudgetLimits = {}, parent?: Budget, spending?: Spending): Budget {
  checkBudget(limits);
  const used = { ...nothingSpent, ...spending?.before };
  const { periodMs } = limits;
  let since = spending?.since;
  const beginPeriod = () => {
    const now = Date.now();
    if (periodMs === undefined || (since !== undefined && now - since < periodMs)) return;
    Object.assign(used, nothingSpent);
    since = now;
  };
  const note = () => spending?.note({ ...used, ...(since !== undefined && { since }) });
  return {
    limits,
    used,
    chargeCall() {
      beginPeriod();
      refuseIfSpent(limits, used);
      parent?.chargeCall();
      used.calls += 1;
      note();
    },
    chargeResult({ wallTimeMs, outputBytes }) {
      parent?.chargeResult({ wallTimeMs, outputBytes });
      used.wallTimeMs += wallTimeMs;
      used.outputBytes += outputBytes;
      note();
    },
  };
}

const nothingSpent: BudgetUse = { calls: 0, wallTimeMs: 0, outputBytes: 0 };

/** What a session has spent; undefined without limits, which need no record. */
export async function readSpending(
  limits: BudgetLimits = {},
  {
    id,
    store,
    log,
    isFresh,
  }: {
    id: string;
    store: Pick<Store, "readVariables">;
    log: Pick<SessionLog, "noteVariable">;
    isFresh: boolean;
  },
): Promise<Spending | undefined> {
  if (Object.values(limits).every((limit) => limit === undefined)) return undefined;
  const scope = `budget:${id}`;
  const stored = isFresh ? undefined : (await store.readVariables(scope)).get("used");
  const known = isPlainObject(stored) ? stored : {};
  const spent = (name: keyof BudgetUse) => (typeof known[name] === "number" ? known[name] : 0);
  return {
    before: {
      calls: spent("calls"),
      wallTimeMs: spent("wallTimeMs"),
      outputBytes: spent("outputBytes"),
    },
    since: typeof known.since === "number" ? known.since : undefined,
    note: (value) => log.noteVariable({ scope, name: "used", value }),
  };
}

const describeLimit: Readonly<Record<keyof BudgetUse, (limit: number) => string>> = {
  calls: (limit) => countOf(limit, "call"),
  wallTimeMs: (limit) => `${limit} ms of running time`,
  outputBytes: (limit) => `${countOf(limit, "byte")} of output`,
};

function refuseIfSpent(limits: BudgetLimits, used: BudgetUse): void {
  for (const key of Object.keys(describeLimit) as (keyof BudgetUse)[]) {
    const limit = limits[key];
    if (limit === undefined || used[key] < limit) continue;
    throw new ToolError("budget-exceeded", `the budget of ${describeLimit[key](limit)} is used up`, {
      hint: "Finish with what you have, or ask for a larger budget.",
    });
  }
}

/** Throws a TypeError for a limit that is none. */
export function checkBudget(limits: BudgetLimits = {}): void {
  for (const [key, limit] of Object.entries(limits)) {
    if (limit === undefined) continue;
    if (key === "periodMs" && limit === 0) throw new TypeError("budget.periodMs must be more than 0");
    const isCounted = key !== "wallTimeMs" && key !== "periodMs";
    if (typeof limit !== "number" || !(limit >= 0) || (isCounted && !Number.isInteger(limit))) {
      const kind = isCounted ? "a whole number" : "a number";
      throw new TypeError(`budget.${key} must be ${kind} of at least 0; received ${limit}`);
    }
  }
}
