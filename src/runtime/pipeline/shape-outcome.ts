import { cutMiddle } from "../../shared/cut-middle.ts";
import type { Eventually } from "../../shared/eventually.ts";
import type { ContentPart } from "../../tool/tool-result.ts";
import type { ResolvedCall } from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** Stage 8: secrets masked, cut to what the model can take, the whole kept on disk. */
export function shapeOutcome(call: ResolvedCall, outcome: CallOutcome): Eventually<CallOutcome> {
  call.environment.budget.chargeResult({ wallTimeMs: 0, outputBytes: Buffer.byteLength(outcome.text) });
  return boundOutcome(call, outcome);
}

/** Masks and cuts an outcome's text; hooks that change the output come here again. */
export function boundOutcome(call: ResolvedCall, outcome: CallOutcome): Eventually<CallOutcome> {
  const text = call.environment.redactor.text(outcome.text);
  const masked = text === outcome.text ? outcome : withText(outcome, text);
  return text.length <= call.resolved.outputLimit.maxCharacters ? masked : cutOutcome(call, masked);
}

async function cutOutcome(call: ResolvedCall, outcome: CallOutcome): Promise<CallOutcome> {
  const { storedPath, note } = await keepWhole(call, outcome.text);
  const { text, omitted } = cutMiddle(outcome.text, { ...call.resolved.outputLimit, note });
  return { ...withText(outcome, text), truncated: omitted, ...(storedPath !== undefined && { storedPath }) };
}

async function keepWhole(call: ResolvedCall, text: string): Promise<{ storedPath?: string; note: string }> {
  try {
    const storedPath = await call.environment.keepOutput(text);
    return { storedPath, note: `the whole output is in ${storedPath}` };
  } catch (error) {
    return { note: `the whole output could not be kept: ${(error as Error).message}` };
  }
}

function withText(outcome: CallOutcome, text: string): CallOutcome {
  const others = outcome.content.filter((part): part is ContentPart => part.type === "image");
  return { ...outcome, text, content: [{ type: "text", text }, ...others] };
}
