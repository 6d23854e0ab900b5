import { CallerGaveUp, type Deadline } from "../../../shared/deadline.ts";
import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import type { Shape } from "../../../shared/options/known-keys.ts";
import { findUnknownKey } from "../../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ToolReturn } from "../../../tool/tool-result.ts";
import type { DecisionInput } from "../../policy/decide.ts";
import type { ResolvedCall } from "../call.ts";
import { validateCanonical, validateWritten } from "../input/validate-input.ts";
import { HookView } from "./hook-view.ts";
import { type BeforeCallHook, type BeforeDecision, beforeDecisionKeys } from "./hooks.ts";
import { withinTime } from "./within-time.ts";

/** What the hooks decided, for the later stages. */
export interface HookAnswers {
  /** `ask` or `deny`, which the permission decision takes into account. */
  readonly ruling?: NonNullable<DecisionInput["hook"]>;
  /** A result to return without running the tool. */
  readonly instead?: { readonly value: ToolReturn };
}

const noAnswers: HookAnswers = {};

/** Stage 3: runs the hooks in order; each sees the input as changed by those before it. */
export function runBeforeHooks(call: ResolvedCall, { isExplaining = false } = {}): MaybePromise<HookAnswers> {
  const { beforeCall } = call.host.hooks;
  return beforeCall.length === 0 ? noAnswers : runAll(call, beforeCall, isExplaining);
}

async function runAll(
  call: ResolvedCall,
  beforeCall: readonly BeforeCallHook[],
  isExplaining: boolean,
): Promise<HookAnswers> {
  let answers = noAnswers;
  for (const [index, hook] of beforeCall.entries()) {
    const decidedBy = `hook beforeCall[${index}]`;
    const decision = await runHook(call, decidedBy, (deadline) =>
      hook(new HookView(call, { deadline, isExplaining })),
    );
    if (!decision) continue;
    checkDecision(call, decision, { name: decidedBy, keys: beforeDecisionKeys });
    answers = await apply(call, decision, { answers, decidedBy });
    // No later hook can take back a denial or an answer.
    if (answers.ruling?.decision === "deny" || answers.instead !== undefined) break;
  }
  return answers;
}

async function apply(
  call: ResolvedCall,
  decision: BeforeDecision,
  { answers, decidedBy }: { answers: HookAnswers; decidedBy: string },
): Promise<HookAnswers> {
  switch (decision.decision) {
    case "change":
      call.input = await validateCanonical(call, decision.input);
      return answers;
    case "rewrite":
      await validateWritten(call, decision.written);
      call.rewritten = { input: decision.written };
      return answers;
    case "deny":
    case "ask":
      return {
        ...answers,
        ruling: { decision: decision.decision, reason: reasonOf(decision, decidedBy), decidedBy },
      };
    case "answer":
      return { ...answers, instead: { value: decision.result } };
  }
}

function reasonOf({ reason }: { readonly reason?: unknown }, decidedBy: string): string {
  const text = typeof reason === "string" ? reason.trim() : "";
  return text === "" ? `${decidedBy} gave no reason` : text;
}

/** Whatever we cannot read as a decision may have been meant as a refusal. */
export function checkDecision(
  call: ResolvedCall,
  given: { readonly decision: string },
  { name, keys }: { name: string; keys: Readonly<Record<string, Shape>> },
): void {
  const { decision } = given;
  if (!Object.hasOwn(keys, decision)) {
    const known = Object.keys(keys).join(", ");
    throw hookFailed(call, {
      name,
      why: `it returned the unknown decision ${JSON.stringify(decision)}; known: ${known}`,
    });
  }
  const unknown = findUnknownKey(given, keys[decision]!);
  if (unknown !== undefined) throw hookFailed(call, { name, why: `in its decision, ${unknown}` });
}

/** A hook that throws or hangs stops the call. */
export async function runHook<Decision>(
  call: ResolvedCall,
  name: string,
  hook: (deadline: Deadline) => MaybePromise<Decision>,
): Promise<Decision> {
  try {
    return await withinTime(call, hook);
  } catch (error) {
    if (error instanceof CallerGaveUp) throw error;
    const why = describeThrown(error);
    throw hookFailed(call, { name, why, cause: error });
  }
}

function hookFailed(call: ResolvedCall, { name, why, cause }: HookFailure): ToolError {
  if (call.start === undefined)
    return new ToolError("hook-failed", `${name} failed, so the call was stopped: ${why}`, { cause });
  const tool = call.resolved.spokenName;
  return new ToolError("hook-failed", `${tool} ran, but ${name} failed, so its result is withheld: ${why}`, {
    hint: "Check what the call did before you make it again.",
    cause,
  });
}

interface HookFailure {
  readonly name: string;
  readonly why: string;
  readonly cause?: unknown;
}
