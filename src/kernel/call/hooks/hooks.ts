import { foreign, knownKeys, type ObjectShape, value } from "../../../shared/options/known-keys.ts";
import { kinds, mapValues, option, propertiesOf, resolveProgram } from "../../../shared/options/option.ts";
import type { Caller } from "../../../tool/caller.ts";
import type { ToolReturn } from "../../../tool/tool-result.ts";
import type { ApprovalRequest, QuestionRequest } from "../../people/index.ts";
import type { Verdict } from "../../policy/index.ts";
import type { CallOutcome } from "../call-outcome.ts";
import {
  checkHookCommands,
  type HookCommand,
  type HookCommands,
  hookCommandKeys,
  hookEvents,
} from "./commands/hook-command.ts";

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

/** Asked before a person is: `deny` answers in their place, and so does `allow`, except to a denial. */
export type PermissionHook = (
  call: HookCall,
  verdict: Verdict,
) => HookAnswer<PermissionAnswer> | Promise<HookAnswer<PermissionAnswer>>;

export interface PermissionAnswer {
  readonly decision: "allow" | "deny";
  readonly reason: string;
}

/** Something that happens beside calls. Messages, sessions and agents that begin can be denied. */
export type HookNotice = { readonly sessionId: string; readonly signal: AbortSignal } & (
  | { readonly event: "UserPromptSubmit"; readonly prompt: string }
  | { readonly event: "SessionStart"; readonly source: "startup" | "resume" }
  | { readonly event: "SessionEnd" }
  | {
      readonly event: "SubagentStart";
      readonly title: string;
      readonly kind?: string;
      readonly prompt: string;
    }
  | { readonly event: "SubagentStop"; readonly title: string; readonly reason: string }
  | { readonly event: "Stop"; readonly reason: string }
  | { readonly event: "Notification"; readonly message: string; readonly waiting?: NotifiedRequest }
);

/** What a person is needed for, with secrets masked and long texts cut. */
export interface NotifiedRequest {
  /** As `toolwright approvals` lists it. */
  readonly id: string;
  /** The command that approves or answers it. Absent where no other process could. */
  readonly command?: string;
  readonly call?: ApprovalRequest;
  readonly question?: QuestionRequest;
}

export type EventHook = (notice: HookNotice) => HookAnswer<EventAnswer> | Promise<HookAnswer<EventAnswer>>;

export interface EventAnswer {
  readonly decision: "deny";
  readonly reason: string;
}

/** Hooks as given in options or by a plugin: functions, and programs by the event they are run at. */
export interface Hooks extends HookCommands {
  readonly beforeCall?: BeforeCallHook | readonly BeforeCallHook[];
  readonly afterCall?: AfterCallHook | readonly AfterCallHook[];
  readonly permission?: PermissionHook | readonly PermissionHook[];
  readonly event?: EventHook | readonly EventHook[];
}

export const hookKeys = knownKeys<Hooks>({
  beforeCall: value,
  afterCall: value,
  permission: value,
  event: value,
  ...hookCommandKeys,
});

/** A file can name programs only. */
export const hooksOption = option<Hooks, HookCommands>({
  schema: {
    type: "object",
    description: "Programs that are run as hooks, by event",
    properties: Object.fromEntries(
      hookEvents.map((event) => [
        event,
        {
          type: "array",
          description: "Each with its argv, the tools it is for, and its time limit",
          items: {
            type: "object",
            properties: propertiesOf<HookCommand>({
              command: kinds.argv,
              matcher: { type: "string" },
              timeoutMs: kinds.positive,
              mayApprove: kinds.flag,
            }),
            required: ["command"],
          },
        },
      ]),
    ),
  },
  keys: hookKeys,
  fileKeys: knownKeys<HookCommands>(hookCommandKeys),
  check: checkHookCommands,
  example: { PreToolUse: [{ matcher: "Bash|Write", command: ["./check-call"] }] },
  resolve: (hooks, folder) =>
    mapValues(hooks, (commands) =>
      (commands ?? []).map((hook) => ({ ...hook, command: resolveProgram(hook.command, folder) })),
    ),
});

/** All hooks in the order in which they run. */
export interface HookChain {
  readonly beforeCall: readonly BeforeCallHook[];
  readonly afterCall: readonly AfterCallHook[];
  readonly permission: readonly PermissionHook[];
  readonly event: readonly EventHook[];
}

export const noHooks: HookChain = { beforeCall: [], afterCall: [], permission: [], event: [] };

function joinHooks(given: readonly Hooks[], asFunctions: (programs: HookCommands) => Hooks): HookChain {
  const groups = given.flatMap((group) => [asFunctions(group), group]);
  return {
    beforeCall: groups.flatMap(({ beforeCall = [] }) => beforeCall),
    afterCall: groups.flatMap(({ afterCall = [] }) => afterCall),
    permission: groups.flatMap(({ permission = [] }) => permission),
    event: groups.flatMap(({ event = [] }) => event),
  };
}

/** The chain of hooks, rebuilt when a plugin adds some. The user's own hooks run last. */
export function followHooks(
  own: Hooks,
  pluginHooks: (() => readonly Hooks[]) | undefined,
  asFunctions: (programs: HookCommands) => Hooks,
): () => HookChain {
  let groups: readonly Hooks[] = [];
  let chain = joinHooks([own], asFunctions);
  if (pluginHooks === undefined) return () => chain;
  return () => {
    const current = pluginHooks();
    if (current.length !== groups.length) {
      groups = current;
      chain = joinHooks([...groups, own], asFunctions);
    }
    return chain;
  };
}
