import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { cutMiddle } from "../../shared/text/cut-middle.ts";
import { type ContentPart, isBeyondText } from "../../tool/content-part.ts";
import type { ResolvedCall } from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** Stage 8: secrets masked, cut to what the model can take, the whole kept on disk. */
export function shapeOutcome(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  call.host.budget.chargeResult({ wallTimeMs: 0, outputBytes: Buffer.byteLength(outcome.text) });
  return boundOutcome(call, outcome);
}

/** Masks and cuts an outcome's text; hooks that change the output come here again. */
export function boundOutcome(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  const { redactor } = call.host;
  const text = redactor.text(outcome.text);
  const masked = text === outcome.text ? outcome : withText(maskParts(redactor, outcome), text);
  return text.length <= call.resolved.outputLimit.maxCharacters ? masked : cutOutcome(call, masked);
}

async function cutOutcome(call: ResolvedCall, outcome: CallOutcome): Promise<CallOutcome> {
  const { storedPath, note } = await keepWhole(call, outcome.text);
  const { text, omitted } = cutMiddle(outcome.text, { ...call.resolved.outputLimit, note });
  return { ...withText(outcome, text), truncated: omitted, ...(storedPath !== undefined && { storedPath }) };
}

/** Told of as the answer, not the output: what a tool answers may be a part of what there was, and says so then. */
async function keepWhole(call: ResolvedCall, text: string): Promise<{ storedPath?: string; note: string }> {
  try {
    const storedPath = await call.host.keepOutput(text);
    return { storedPath, note: `the whole answer is in ${storedPath}` };
  } catch (error) {
    return { note: `the whole answer could not be kept: ${(error as Error).message}` };
  }
}

/** The words of what stays beside the text, which told them too; bytes are left as they are. */
function maskParts(redactor: Redactor, outcome: CallOutcome): CallOutcome {
  return { ...outcome, content: outcome.content.map((part) => maskPart(redactor, part)) };
}

export function maskPart(redactor: Redactor, part: ContentPart): ContentPart {
  if (part.type === "link") return redactor.value(part) as ContentPart;
  if (part.type === "resource") return { ...part, uri: redactor.text(part.uri) };
  return part;
}

/** One text in place of all that can be read; what is more than text stays beside it. */
export function withText(outcome: CallOutcome, text: string): CallOutcome {
  return { ...outcome, text, content: [{ type: "text", text }, ...outcome.content.filter(isBeyondText)] };
}
