import type { TokenUsage } from "../../../kernel/events/index.ts";
import {
  isNear,
  type KeptValues,
  type NearLimit,
  type SessionLog,
  warningOf,
} from "../../../kernel/session/index.ts";
import type { KeptKind } from "../../../kernel/store/index.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { AgentBudget } from "../agent-options.ts";
import { addUsage, noUsage } from "./token-usage.ts";

/**
 * Counts what an agent spends on one message. Its parents are charged too, so that a limit holds for a whole tree of
 * agents.
 */
export interface TokenMeter {
  spend(usage: TokenUsage): void;
  /**
   * Reserves tokens that a step may need, so that other agents of the tree cannot spend them. Returns a function that gives
   * them back.
   */
  reserve(tokens: number): () => void;
  /** Counts one call, or throws if its own calls or a parent's are used up. */
  chargeCall(): void;
  /** Whether its own limit or a parent's is reached. */
  readonly isSpent: boolean;
  /** Tokens left for it and all its parents, without those that are reserved. */
  readonly leftTokens: number;
  /** Time left for it and all its parents. */
  readonly leftMs: number;
  /** The tokens of this agent and of all that it has spawned, since it was created. */
  readonly usage: TokenUsage;
  /** Warnings as in a session's budget. */
  readonly warnings: readonly string[][];
}

interface Metering {
  readonly parent?: TokenMeter | undefined;
  /** Tokens spent on the same message before. */
  readonly before?: MessageUse;
  note?(used: MessageUse): void;
  warn?(near: NearLimit): void;
}

/** Tokens spent on a message. */
interface MessageUse {
  readonly calls: number;
  readonly tokens: number;
  readonly timeMs: number;
}

interface MeteredHost {
  readonly spending: { readonly meter: TokenMeter | undefined; readonly messageUse: MessageUses };
  readonly log: Pick<SessionLog, "note">;
}

/** Opens the meter for a message, or for going on with the message before, which is not given its budget twice. */
export async function openMeter(
  { spending: { meter: parent, messageUse }, log }: MeteredHost,
  { budget, name = "agent" }: { readonly budget?: AgentBudget; readonly name?: string },
  { isContinued }: { readonly isContinued: boolean },
): Promise<TokenMeter> {
  if (budget === undefined) return createTokenMeter({}, { parent });
  return createTokenMeter(budget, {
    parent,
    before: isContinued ? readUse(await messageUse.get(name)) : nothingUsed,
    note: (used) => messageUse.set(name, { ...used }),
    warn: (near) => void log.note({ type: "budget-warn", of: "run", ...near }),
  });
}

const nothingUsed: MessageUse = { calls: 0, tokens: 0, timeMs: 0 };

/**
 * The budget spent on the last message, by the agent's name. Another version may have counted something else, so each
 * figure is read by itself.
 */
export const messageUses: KeptKind<Readonly<Record<string, unknown>>> = {
  scope: "message-use",
  isValue: isPlainObject,
};

export type MessageUses = Pick<KeptValues<Readonly<Record<string, unknown>>>, "get" | "set">;

function readUse(known: Readonly<Record<string, unknown>> = {}): MessageUse {
  const read = (name: keyof MessageUse) => (typeof known[name] === "number" ? known[name] : 0);
  return { calls: read("calls"), tokens: read("tokens"), timeMs: read("timeMs") };
}

export function createTokenMeter(
  {
    calls: maxCalls = Number.POSITIVE_INFINITY,
    tokens: maxTokens = Number.POSITIVE_INFINITY,
    timeMs = Number.POSITIVE_INFINITY,
  }: AgentBudget = {},
  { parent, before = nothingUsed, note, warn }: Metering = {},
): TokenMeter {
  const beganMs = performance.now();
  const endMs = beganMs + timeMs - before.timeMs;
  let { calls, tokens } = before;
  let reserved = 0;
  let usage = noUsage;
  const warnings: string[] = [];
  const keep = () => note?.({ calls, tokens, timeMs: before.timeMs + performance.now() - beganMs });
  const warnIfNear = (what: "calls" | "tokens", was: number, used: number, limit: number) => {
    if (!isNear(was, used, limit)) return;
    warnings.push(warningOf(`${countOf(limit, what.slice(0, -1))} for this message`));
    warn?.({ what, limit, used });
  };
  // A new message begins with nothing spent, also on record.
  keep();
  const meter: TokenMeter = {
    spend(more) {
      parent?.spend(more);
      usage = addUsage(usage, more);
      const was = tokens;
      tokens += more.inputTokens + more.outputTokens;
      warnIfNear("tokens", was, tokens, maxTokens);
      keep();
    },
    reserve(needed) {
      const giveBack = parent?.reserve(needed);
      reserved += needed;
      return () => {
        giveBack?.();
        reserved -= needed;
      };
    },
    chargeCall() {
      if (calls >= maxCalls) throw outOfCalls(maxCalls);
      parent?.chargeCall();
      calls += 1;
      warnIfNear("calls", calls - 1, calls, maxCalls);
      keep();
    },
    get isSpent() {
      return tokens >= maxTokens || meter.leftMs <= 0 || parent?.isSpent === true;
    },
    get leftTokens() {
      return Math.min(maxTokens - tokens - reserved, parent?.leftTokens ?? Number.POSITIVE_INFINITY);
    },
    get leftMs() {
      return Math.min(endMs - performance.now(), parent?.leftMs ?? Number.POSITIVE_INFINITY);
    },
    get usage() {
      return usage;
    },
    warnings: [warnings, ...(parent?.warnings ?? [])],
  };
  return meter;
}

function outOfCalls(maxCalls: number): ToolError {
  return new ToolError("budget-exceeded", `the agent's budget of ${countOf(maxCalls, "call")} is used up`, {
    hint: "Finish with what you have, or ask for a larger budget.",
  });
}
