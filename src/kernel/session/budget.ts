import { isPlainObject } from "../../shared/json.ts";

import { kinds, option, propertiesOf } from "../../shared/options/option.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { orMeant } from "../../shared/text/did-you-mean.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { RuleNames } from "../policy/index.ts";
import type { KeptKind } from "../store/index.ts";
import type { SessionKept } from "./kept/kept.ts";
import type { SessionLog } from "./session-log.ts";

/** What a session may spend, however often it is opened again. Without a value, there is no limit. */
export interface BudgetLimits {
  readonly calls?: number;
  /** Total time that tools spend running. */
  readonly wallTimeMs?: number;
  readonly outputBytes?: number;
  /** Input and output tokens of its agent's model. */
  readonly tokens?: number;
  /** What those tokens cost, by the runtime's `prices` and in their currency. */
  readonly cost?: number;
  /** Calls of single tools, by their names in any dialect. */
  readonly tools?: Readonly<Record<string, number>>;
  /** After this time, counted from the first call, all of it may be spent again. Default: never. */
  readonly periodMs?: number;
}

type Counted = Omit<BudgetLimits, "periodMs" | "tools">;
type BudgetUse = Required<Counted> & { readonly tools: Readonly<Record<string, number>> };

export const budgetOption = option<BudgetLimits>({
  schema: {
    type: "object",
    description: "Limits for each session",
    properties: propertiesOf<BudgetLimits>({
      calls: { ...kinds.limit, description: "Most calls" },
      wallTimeMs: { ...kinds.limit, description: "Longest time, in milliseconds" },
      outputBytes: { ...kinds.limit, description: "Most output, in bytes" },
      tokens: { ...kinds.limit, description: "Most input and output tokens of the model" },
      cost: { ...kinds.limit, description: "Most that the model may cost, in the currency of prices" },
      tools: {
        type: "object",
        additionalProperties: kinds.limit,
        description: "Most calls of a tool, by its name",
      },
      periodMs: {
        ...kinds.positive,
        description: "After how many milliseconds all of it may be spent again; default: never",
      },
    }),
  },
  check: checkBudget,
  example: { calls: 200, wallTimeMs: 3_600_000 },
});

/** How much a session may spend, and has spent. */
export interface SessionBudget {
  readonly limits: BudgetLimits;
  /** The amounts spent, those of its sub-agents included. */
  readonly used: Readonly<Required<Omit<BudgetLimits, "periodMs">>>;
}

export interface Budget extends SessionBudget {
  /** Counts one call, or throws if the budget, or a parent's, is used up. */
  chargeCall(tool?: string): void;
  /** Adds what a model has been paid for. */
  chargeTokens(spent: { readonly tokens: number; readonly cost: number }): void;
  /** The amount that may still be spent here and in every parent, less the reserved amounts. */
  left(what: "tokens" | "cost"): number;
  /** Keeps others that spend at the same time from what this may need. Returns how to give it back. */
  reserve(needed: { readonly tokens: number; readonly cost: number }): () => void;
  /**
   * Warnings about limits that have come close, in words for the model: a list for this budget and for each parent. They
   * wait there until one call tells them and takes them out.
   */
  readonly warnings: readonly string[][];
  /** Adds the measured cost of a call. */
  chargeResult(spent: { wallTimeMs: number; outputBytes: number }): void;
}

/** The amounts spent before, and where to record later ones. */
export interface Spending {
  readonly before: BudgetUse;
  /** When the period began; milliseconds since the epoch. */
  readonly since?: number | undefined;
  note(used: BudgetUse & { readonly since?: number }): void;
  /** Called when a limit is nearly reached. */
  warn(near: NearLimit): void;
}

/** A limit of which at least four fifths are used. */
export interface NearLimit {
  readonly what: keyof Counted | "tools";
  /** For `tools`: which one. */
  readonly toolName?: string;
  readonly limit: number;
  readonly used: number;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A child's spending also counts against its parent's budget. */
export function createBudget(limits: BudgetLimits = {}, parent?: Budget, spending?: Spending): Budget {
  checkBudget(limits);
  const used: Mutable<BudgetUse> = { ...nothingSpent, ...spending?.before };
  const { periodMs } = limits;
  let since = spending?.since;
  const beginPeriod = () => {
    const now = Date.now();
    if (periodMs === undefined || (since !== undefined && now - since < periodMs)) return;
    Object.assign(used, nothingSpent);
    since = now;
  };
  // Passed on as it is, because the log reads it only when it writes it.
  const note = () => spending?.note(since === undefined ? used : { ...used, since });
  const warnings: string[] = [];
  const add = (what: keyof Counted, amount: number) => {
    const before = used[what];
    used[what] += amount;
    const limit = limits[what];
    if (limit === undefined || !isNear(before, used[what], limit)) return;
    warnings.push(warningOf(describeLimit[what](limit)));
    spending?.warn({ what, limit, used: used[what] });
  };
  const reserved = { tokens: 0, cost: 0 };
  return {
    limits,
    used,
    chargeCall(tool) {
      beginPeriod();
      refuseIfSpent(limits, used, tool);
      parent?.chargeCall(tool);
      add("calls", 1);
      if (tool !== undefined) chargeTool(tool);
      note();
    },
    chargeResult({ wallTimeMs, outputBytes }) {
      parent?.chargeResult({ wallTimeMs, outputBytes });
      add("wallTimeMs", wallTimeMs);
      add("outputBytes", outputBytes);
      note();
    },
    chargeTokens({ tokens, cost }) {
      parent?.chargeTokens({ tokens, cost });
      add("tokens", tokens);
      add("cost", cost);
      note();
    },
    left(what) {
      beginPeriod();
      const own = (limits[what] ?? Number.POSITIVE_INFINITY) - used[what] - reserved[what];
      return Math.min(own, parent?.left(what) ?? Number.POSITIVE_INFINITY);
    },
    reserve({ tokens, cost }) {
      const giveBack = parent?.reserve({ tokens, cost });
      reserved.tokens += tokens;
      reserved.cost += cost;
      return () => {
        giveBack?.();
        reserved.tokens -= tokens;
        reserved.cost -= cost;
      };
    },
    warnings: [warnings, ...(parent?.warnings ?? [])],
  };

  function chargeTool(tool: string): void {
    const before = used.tools[tool] ?? 0;
    used.tools = { ...used.tools, [tool]: before + 1 };
    const limit = limitOf(limits, tool);
    if (limit === undefined || !isNear(before, before + 1, limit)) return;
    warnings.push(warningOf(describeTool(limit, tool)));
    spending?.warn({ what: "tools", toolName: tool, limit, used: before + 1 });
  }
}

const warnedShare = 0.8;

/** Whether a use has just reached the share of its limit at which the model is warned. */
export function isNear(before: number, now: number, limit: number): boolean {
  return before < limit * warnedShare && now >= limit * warnedShare;
}

export function warningOf(limit: string): string {
  return `Note: at least ${warnedShare * 100} % of the budget of ${limit} is used. Do what matters most first.`;
}

function limitOf({ tools = {} }: BudgetLimits, tool: string): number | undefined {
  return Object.hasOwn(tools, tool) ? tools[tool] : undefined;
}

function describeTool(limit: number, tool: string): string {
  return `${countOf(limit, "call")} of ${tool}`;
}

const nothingSpent: BudgetUse = { calls: 0, wallTimeMs: 0, outputBytes: 0, tokens: 0, cost: 0, tools: {} };

/** Reads the amounts that a session has spent; undefined without limits, which need no record. */
export async function readSpending(
  limits: BudgetLimits = {},
  { kept, log, isFresh }: { kept: SessionKept; log: Pick<SessionLog, "note">; isFresh: boolean },
): Promise<Spending | undefined> {
  if (Object.values(limits).every((limit) => limit === undefined)) return undefined;
  const stored = kept(spendings);
  const before = (isFresh ? undefined : await stored.get("used")) ?? {};
  // Damaging the record gains nothing: the whole budget then counts as spent.
  const known = before === "unreadable" ? { ...limits, since: Date.now() } : before;
  const counted = Object.fromEntries(countedKeys.map((name) => [name, known[name]]));
  return {
    before: { ...nothingSpent, ...numbersIn(counted), tools: numbersIn(known.tools) },
    since: typeof known.since === "number" ? known.since : undefined,
    note: (value) => stored.set("used", { ...value }),
    warn: (near) => void log.note({ type: "budget-warn", of: "session", ...near }),
  };
}

/** The amounts spent, as `used`. Another version may have counted other things, so each figure is read by itself. */
export const spendings: KeptKind<Readonly<Record<string, unknown>> | "unreadable"> = {
  scope: "budget",
  isValue: isPlainObject,
  instead: () => "unreadable",
};

function numbersIn(stored: unknown): Readonly<Record<string, number>> {
  const entries = isPlainObject(stored) ? Object.entries(stored) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}

const describeLimit: Readonly<Record<keyof Counted, (limit: number) => string>> = {
  calls: (limit) => countOf(limit, "call"),
  wallTimeMs: (limit) => `${limit} ms of running time`,
  outputBytes: (limit) => `${countOf(limit, "byte")} of output`,
  tokens: (limit) => countOf(limit, "token"),
  cost: (limit) => `${limit} for the model`,
};

const countedKeys = Object.keys(describeLimit) as (keyof Counted)[];

function refuseIfSpent(limits: BudgetLimits, used: BudgetUse, tool: string | undefined): void {
  for (const key of countedKeys) {
    const limit = limits[key];
    if (limit !== undefined && used[key] >= limit) throw usedUp(describeLimit[key](limit));
  }
  const limit = tool === undefined ? undefined : limitOf(limits, tool);
  if (limit !== undefined && (used.tools[tool!] ?? 0) >= limit) throw toolUsedUp(describeTool(limit, tool!));
}

function usedUp(what: string): ToolError {
  return new ToolError("budget-exceeded", `the budget of ${what} is used up`, {
    hint: "Finish with what you have, or ask for a larger budget.",
  });
}

/** The error for a tool whose calls are used up. Other tools can still be called, so the work can go on. */
function toolUsedUp(what: string): ToolError {
  return new ToolError("unavailable", `the budget of ${what} is used up`, {
    hint: "Go on without this tool, or ask for a larger budget.",
  });
}

/**
 * The limits with the canonical names of tools. Throws a TypeError for a name that no tool has: it would limit nothing.
 */
export function withCanonicalTools(
  limits: BudgetLimits,
  { canonicalName, nearest }: Pick<RuleNames, "canonicalName" | "nearest">,
): BudgetLimits {
  if (limits.tools === undefined) return limits;
  const tools = new Map<string, number>();
  for (const [name, limit] of Object.entries(limits.tools)) {
    const tool = canonicalName(name);
    // The tools of an MCP server are known only when it is connected.
    if (tool === undefined && !name.startsWith("mcp_"))
      throw new TypeError(
        `budget.tools: there is no tool ${JSON.stringify(name)}${orMeant(nearest(name), "list the tools to see which there are")}`,
      );
    tools.set(tool ?? name, Math.min(limit, tools.get(tool ?? name) ?? limit));
  }
  return { ...limits, tools: Object.fromEntries(tools) };
}

/** Throws a TypeError for an invalid limit. */
export function checkBudget(limits: BudgetLimits = {}): void {
  const { tools = {}, ...others } = limits;
  const ofTools = Object.entries(tools).map(([tool, limit]) => [`tools.${tool}`, limit] as const);
  for (const [key, limit] of [...Object.entries(others), ...ofTools]) {
    if (limit === undefined) continue;
    if (key === "periodMs" && limit === 0) throw new TypeError("budget.periodMs must be more than 0");
    const isCounted = key !== "wallTimeMs" && key !== "periodMs" && key !== "cost";
    if (typeof limit !== "number" || !(limit >= 0) || (isCounted && !Number.isInteger(limit))) {
      const kind = isCounted ? "a whole number" : "a number";
      throw new TypeError(`budget.${key} must be ${kind} of at least 0; received ${limit}`);
    }
  }
}
