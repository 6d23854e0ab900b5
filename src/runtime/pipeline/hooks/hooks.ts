import { foreign, knownKeys, type ObjectShape, value } from "../../../shared/options/known-keys.ts";
import type { Caller } from "../../../tool/caller.ts";
import type { ToolReturn } from "../../../tool/tool-result.ts";
import type { CallOutcome } from "../call-outcome.ts";

/** What a hook sees of a call. */
export interface HookCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly caller: Caller;
  /** The canonical name, whatever name the caller used. */
  readonly tool: string;
  /** The name that the caller used: the canonical one, an alias, or that of its dialect. */
  readonly name: string;
  /** In the tool's own terms, whatever dialect the caller speaks. */
  readonly input: unknown;
  /** As the caller wrote it, or an earlier hook, in the terms of its dialect and before it was checked. */
  readonly written: unknown;
  readonly signal: AbortSignal;
  /** Only the verdict was requested; the call will not run. */
  readonly isExplaining: boolean;
}

export type BeforeDecision =
  /** Continues with another input, which is validated again. */
  | { readonly decision: "change"; readonly input: unknown }
  /** The same, with an input in the caller's terms. */
  | { readonly decision: "rewrite"; readonly written: unknown }
  | { readonly decision: "deny"; readonly reason: string }
  | { readonly decision: "ask"; readonly reason: string }
  /** Answers in the tool's place; the tool does not run. */
  | { readonly decision: "answer"; readonly result: ToolReturn };

export type AfterDecision =
  /** Changes parts of the result and keeps the rest. */
  | { readonly decision: "update"; readonly text?: string; readonly data?: unknown }
  | { readonly decision: "replace"; readonly result: ToolReturn };

/** The keys of each decision, by its name. */
export const beforeDecisionKeys = {
  change: knownKeys<Extract<BeforeDecision, { decision: "change" }>>({ decision: value, input: foreign }),
  rewrite: knownKeys<Extract<BeforeDecision, { decision: "rewrite" }>>({ decision: value, written: foreign }),
  deny: knownKeys<Extract<BeforeDecision, { decision: "deny" }>>({ decision: value, reason: value }),
  ask: knownKeys<Extract<BeforeDecision, { decision: "ask" }>>({ decision: value, reason: value }),
  answer: knownKeys<Extract<BeforeDecision, { decision: "answer" }>>({ decision: value, result: foreign }),
} satisfies Record<BeforeDecision["decision"], ObjectShape>;

export const afterDecisionKeys = {
  update: knownKeys<Extract<AfterDecision, { decision: "update" }>>({
    decision: value,
    text: value,
    data: foreign,
  }),
  replace: knownKeys<Extract<AfterDecision, { decision: "replace" }>>({ decision: value, result: foreign }),
} satisfies Record<AfterDecision["decision"], ObjectShape>;

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only watches returns nothing
export type HookAnswer<Decision> = Decision | undefined | void;

export type BeforeCallHook = (
  call: HookCall,
) => HookAnswer<BeforeDecision> | Promise<HookAnswer<BeforeDecision>>;
export type AfterCallHook = (
  call: HookCall,
  outcome: CallOutcome,
) => HookAnswer<AfterDecision> | Promise<HookAnswer<AfterDecision>>;

/** Hooks as given in options or by a plugin. */
export interface Hooks {
  readonly beforeCall?: BeforeCallHook | readonly BeforeCallHook[];
  readonly afterCall?: AfterCallHook | readonly AfterCallHook[];
}

export const hookKeys = knownKeys<Hooks>({ beforeCall: value, afterCall: value });

/** All hooks in the order in which they run. */
export interface HookChain {
  readonly beforeCall: readonly BeforeCallHook[];
  readonly afterCall: readonly AfterCallHook[];
}

function joinHooks(groups: readonly Hooks[]): HookChain {
  return {
    beforeCall: groups.flatMap(({ beforeCall = [] }) => beforeCall),
    afterCall: groups.flatMap(({ afterCall = [] }) => afterCall),
  };
}

/** The chain of hooks, rebuilt when a plugin adds some. The user's own hooks run last. */
export function followHooks(own: Hooks, pluginHooks: () => readonly Hooks[]): () => HookChain {
  let groups: readonly Hooks[] = [];
  let chain = joinHooks([own]);
  return () => {
    const current = pluginHooks();
    if (current.length !== groups.length) {
      groups = current;
      chain = joinHooks([...groups, own]);
    }
    return chain;
  };
}
