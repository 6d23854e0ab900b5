import type { Eventually } from "../../shared/eventually.ts";
import type { Validation } from "../../shared/json-schema/json-schema.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { normalizeResult, type ToolReturn } from "../../tool/tool-result.ts";
import type { HookAnswers } from "./before-hooks.ts";
import { type ResolvedCall, toolOf } from "./call.ts";
import { CallContext } from "./call-context.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { outcomeOfError } from "./outcome.ts";

/** Stage 7: runs the tool, or takes the answer a hook gave in its place. What goes wrong in it is an outcome too. */
export async function execute(call: ResolvedCall, { instead }: HookAnswers): Promise<CallOutcome> {
  try {
    const value = instead === undefined ? await runTool(call) : instead.value;
    return toOutcome(call, value);
  } catch (error) {
    return outcomeOfError(call, error);
  }
}

/** A tool is answered for on time even if it never looks at its signal. */
async function runTool(call: ResolvedCall): Promise<ToolReturn> {
  const { deadline } = call;
  if (deadline.reason !== undefined) throw deadline.reason;
  const context = new CallContext(call);
  const startedMs = performance.now();
  deadline.start(timeoutOf(call));
  try {
    const returned: unknown = toolOf(call).run(call.input, context);
    const value = isThenable(returned) ? await deadline.race(Promise.resolve(returned)) : returned;
    return await validateOutput(call, value);
  } finally {
    context.close();
    call.environment.budget.chargeResult({ wallTimeMs: performance.now() - startedMs, outputBytes: 0 });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

function timeoutOf(call: ResolvedCall): number {
  const { timeoutMs } = toolOf(call).traits;
  const own = call.request.timeoutMs ?? 0;
  if (own > 0) return own;
  const declared = typeof timeoutMs === "function" ? timeoutMs(call.input) : timeoutMs;
  return declared ?? call.environment.defaultTimeoutMs;
}

function validateOutput(call: ResolvedCall, value: ToolReturn): Eventually<ToolReturn> {
  const validation = toolOf(call).validateOutput?.(value);
  if (validation === undefined) return value;
  const accept = (outcome: Validation) => acceptOutput(call, outcome);
  return validation instanceof Promise ? validation.then(accept) : accept(validation);
}

function acceptOutput(call: ResolvedCall, validation: Validation): ToolReturn {
  if (validation.ok) return validation.value;
  const problems = validation.issues.map((issue) => issue.message).join("; ");
  const message = `${call.resolved.spokenName} answered in a form it does not promise: ${problems}`;
  throw new ToolError("invalid-output", message, { hint: "This is a mistake in the tool, not in the call." });
}

/** One form for whatever a tool, or a hook in its place, returned. */
function toOutcome(call: ResolvedCall, value: ToolReturn): CallOutcome {
  const { toText } = toolOf(call);
  const { wording, encodeData } = call.resolved;
  const { text, content, data } = normalizeResult(
    value,
    toText && ((output: never) => toText(output, wording)),
  );
  if (data === undefined) return { status: "done", text, content };
  return { status: "done", text, content, data: encodeData(data) };
}
