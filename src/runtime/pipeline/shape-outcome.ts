import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { type CutOptions, type CutPlace, cutMiddle } from "../../shared/text/cut-middle.ts";
import { type ContentPart, isBeyondText } from "../../tool/content-part.ts";
import { describeReading } from "../../tool/wording.ts";
import type { ResolvedCall } from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** Stage 8: masks secrets, and cuts the text to the output limit with the full text kept on disk. */
export function shapeOutcome(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  call.host.budget.chargeResult({ wallTimeMs: 0, outputBytes: Buffer.byteLength(outcome.text) });
  const { truncation } = call;
  const told: CallOutcome =
    truncation === undefined ? outcome : { ...outcome, truncated: true, ...truncation };
  return boundOutcome(call, told);
}

/** Masks and cuts an outcome's text; called again when a hook changes it. */
export function boundOutcome(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  const { redactor } = call.host;
  const text = redactor.text(outcome.text);
  const masked = text === outcome.text ? outcome : withText(maskParts(redactor, outcome), text);
  // A mask may be longer than what it hides. A page that fits without it is not cut for that, or it would have a hole.
  const length = Math.min(text.length, outcome.text.length);
  return length <= call.resolved.outputLimit.maxCharacters ? masked : cutOutcome(call, masked);
}

async function cutOutcome(call: ResolvedCall, outcome: CallOutcome): Promise<CallOutcome> {
  const { storedPath, note } = await keepWhole(call, outcome.text);
  const { text, omitted } = cutMiddle(outcome.text, { ...call.resolved.outputLimit, note });
  return {
    ...withText(outcome, text),
    truncated: true,
    omitted,
    ...(storedPath !== undefined && { storedPath }),
  };
}

/** The note says "result", not "output": the tool may have cut its output itself, and says so in its result. */
async function keepWhole(
  call: ResolvedCall,
  text: string,
): Promise<{ storedPath?: string; note: NonNullable<CutOptions["note"]> }> {
  try {
    const storedPath = await call.host.keepOutput(text);
    const note = (from: CutPlace) =>
      [`the full result is in ${storedPath}`, describeReading(from, call.resolved.wording)]
        .filter((part) => part !== "")
        .join("; ");
    return { storedPath, note };
  } catch (error) {
    return { note: `the full result could not be kept: ${(error as Error).message}` };
  }
}

/** Masks links and URIs beside the text, which may repeat its secrets; bytes are left as they are. */
function maskParts(redactor: Redactor, outcome: CallOutcome): CallOutcome {
  return { ...outcome, content: outcome.content.map((part) => maskPart(redactor, part)) };
}

export function maskPart(redactor: Redactor, part: ContentPart): ContentPart {
  if (part.type === "link") return redactor.value(part) as ContentPart;
  if (part.type === "resource") return { ...part, uri: redactor.text(part.uri) };
  return part;
}

/** Replaces all text parts with one text; other parts, such as images, stay. */
export function withText(outcome: CallOutcome, text: string): CallOutcome {
  return { ...outcome, text, content: [{ type: "text", text }, ...outcome.content.filter(isBeyondText)] };
}
