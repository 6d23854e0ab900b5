import { cutMiddle } from "../../shared/cut-middle.ts";
import { ToolError } from "../../tool/tool-error.ts";
import {
  type ContentPart,
  type NormalizedResult,
  normalizeResult,
  type ToolReturn,
} from "../../tool/tool-result.ts";
import { type ResolvedCall, toolOf } from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** Stage 8: secrets masked, cut to what the model can take, the whole kept on disk. */
export function shapeOutcome(call: ResolvedCall, outcome: CallOutcome): Promise<CallOutcome> {
  call.environment.budget.chargeResult({ wallTimeMs: 0, outputBytes: Buffer.byteLength(outcome.text) });
  return boundOutcome(call, outcome);
}

/** One form for whatever a tool, or a hook in its place, returned. */
export function toOutcome(call: ResolvedCall, { value }: { readonly value: ToolReturn }): CallOutcome {
  const { text, content, data } = normalize(call, value);
  if (data === undefined) return { status: "done", text, content };
  return { status: "done", text, content, data: call.resolved.encodeData(data) };
}

/** Masks and cuts an outcome's text; hooks that change the output come here again. */
export async function boundOutcome(call: ResolvedCall, outcome: CallOutcome): Promise<CallOutcome> {
  const text = call.environment.redactor.text(outcome.text);
  const { outputLimit } = call.resolved;
  if (text.length <= outputLimit.maxCharacters) {
    return text === outcome.text ? outcome : withText(outcome, text);
  }
  const { storedPath, note } = await keepWhole(call, text);
  const { text: shown, omitted } = cutMiddle(text, { ...outputLimit, note });
  return { ...withText(outcome, shown), truncated: omitted, ...(storedPath !== undefined && { storedPath }) };
}

async function keepWhole(call: ResolvedCall, text: string): Promise<{ storedPath?: string; note: string }> {
  try {
    const storedPath = await call.environment.keepOutput(text);
    return { storedPath, note: `the whole output is in ${storedPath}` };
  } catch (error) {
    return { note: `the whole output could not be kept: ${(error as Error).message}` };
  }
}

function normalize(call: ResolvedCall, value: ToolReturn): NormalizedResult {
  const { toText } = toolOf(call);
  const { wording, spokenName } = call.resolved;
  try {
    return normalizeResult(value, toText && ((output: never) => toText(output, wording)));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("invalid-output", `the result of ${spokenName} cannot be shown: ${why}`, { cause });
  }
}

function withText(outcome: CallOutcome, text: string): CallOutcome {
  const others = outcome.content.filter((part): part is ContentPart => part.type === "image");
  return { ...outcome, text, content: [{ type: "text", text }, ...others] };
}
