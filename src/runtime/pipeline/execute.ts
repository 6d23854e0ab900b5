import { ToolError } from "../../tool/tool-error.ts";
import type { ToolReturn } from "../../tool/tool-result.ts";
import { type ResolvedCall, toolOf } from "./call.ts";
import { createContext } from "./create-context.ts";

/** Stage 7: runs the tool. It is answered for on time even if it never looks at its signal. */
export async function execute(call: ResolvedCall): Promise<{ readonly value: ToolReturn }> {
  const tool = toolOf(call);
  const { deadline } = call;
  const { context, close } = createContext(call);
  deadline.start(timeoutOf(call));
  const startedMs = performance.now();
  try {
    deadline.signal.throwIfAborted();
    const returned: unknown = tool.run(call.input, context);
    const value = isThenable(returned) ? await deadline.race(Promise.resolve(returned)) : returned;
    return { value: await validateOutput(call, value) };
  } finally {
    close();
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

async function validateOutput(call: ResolvedCall, value: ToolReturn): Promise<ToolReturn> {
  const validation = await toolOf(call).validateOutput?.(value);
  if (validation === undefined) return value;
  if (validation.ok) return validation.value;
  const problems = validation.issues.map((issue) => issue.message).join("; ");
  throw new ToolError(
    "invalid-output",
    `${call.resolved.spokenName} answered in a form it does not promise: ${problems}`,
    {
      hint: "This is a mistake in the tool, not in the call.",
    },
  );
}
