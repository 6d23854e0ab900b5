import { isPlainObject } from "../../shared/json.ts";
import { cutBesideQuotes, readMark } from "../../shared/markdown/cut-beside-quotes.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { type CutOptions, type CutPlace, cutMiddle } from "../../shared/text/cut-middle.ts";
import { fitJson } from "../../shared/text/fit-json.ts";
import { type ContentPart, isBeyondText } from "../../tool/content-part.ts";
import {
  isPartsResult,
  type NormalizedResult,
  normalizeResult,
  type ToolReturn,
} from "../../tool/tool-result.ts";
import { describeReading } from "../../tool/wording.ts";
import type { ResolvedCall } from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** Stage 8: masks secrets, and cuts the text to the output limit with the full text kept on disk. */
export function shapeOutcome(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  const { truncation } = call.work;
  const told: CallOutcome =
    truncation === undefined ? outcome : { ...outcome, truncated: true, ...truncation };
  return boundOutcome(call, told);
}

/** Masks and cuts an outcome's text; called again when a hook changes it. */
export function boundOutcome(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  const { redactor, dialect } = call.host;
  const text = redactor.text(outcome.text);
  const isMasked = text !== outcome.text;
  const { maxCharacters } = call.resolved.outputLimit;
  // A mask may be longer than the secret that it hides. A page that fits without it is not cut for that, or it would have a hole.
  const isLong = Math.min(text.length, outcome.text.length) > maxCharacters;
  if (!isMasked && !isLong) return outcome;
  const told = dialect.writesJson ? readToldObject(outcome.text) : undefined;
  const safe = isMasked ? withText(maskParts(redactor, outcome), maskTold(redactor, told) ?? text) : outcome;
  if (!isLong) return safe;
  return told === undefined ? cutOutcome(call, safe) : cutObject(call, safe);
}

async function cutOutcome(call: ResolvedCall, outcome: CallOutcome): Promise<CallOutcome> {
  const { storedPath, note } = await keepWhole(call, outcome.text);
  const { text, omitted } = cutBesideQuotes(outcome.text, { ...call.resolved.outputLimit, note }, readMark);
  return {
    ...withText(outcome, text),
    truncated: true,
    omitted,
    ...(storedPath !== undefined && { storedPath }),
  };
}

/** Parses the text if it is a JSON object. */
export function readToldObject(text: string): Record<string, unknown> | undefined {
  // Whatever else it is need not be parsed to know that.
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const told: unknown = JSON.parse(text);
    return isPlainObject(told) ? told : undefined;
  } catch {
    return undefined;
  }
}

/** Masked in its strings, it is still JSON; not used if a secret is to be seen only in the text as a whole. */
function maskTold(redactor: Redactor, told: object | undefined): string | undefined {
  const json = told && JSON.stringify(redactor.value(told));
  return json !== undefined && redactor.text(json) === json ? json : undefined;
}

/** Shortens the object to the limit in such a way that the text is still JSON, and says so in it. */
async function cutObject(call: ResolvedCall, outcome: CallOutcome): Promise<CallOutcome> {
  const { storedPath, note } = await keepWhole(call, outcome.text);
  const whole = readToldObject(outcome.text);
  if (whole === undefined) return cutOutcome(call, outcome);
  const told = { ...whole, ...("truncated" in whole && { truncated: true }) };
  const missing = typeof note === "string" ? note : `the full result is in ${storedPath}`;
  const added = { note: `Only a part of this result is shown; ${missing}.` };
  const room = call.resolved.outputLimit.maxCharacters - JSON.stringify(added).length;
  const data = (fitJson(told, Math.max(0, room)) ?? {}) as Record<string, unknown>;
  const text = JSON.stringify(noteInObject(data, added.note));
  return {
    ...withText(outcome, text),
    ...(outcome.data !== undefined && { data }),
    truncated: true,
    omitted: outcome.text.length - JSON.stringify(data).length,
    ...(storedPath !== undefined && { storedPath }),
  };
}

export function noteInObject(told: Record<string, unknown>, note: string): Record<string, unknown> {
  const { note: earlier } = told;
  return { ...told, note: typeof earlier === "string" ? `${earlier} ${note}` : note };
}

/** The note says "result", not "output": the tool may have cut its output itself, and says so in its result. */
async function keepWhole(
  call: ResolvedCall,
  text: string,
): Promise<{ storedPath?: string; note: NonNullable<CutOptions["note"]> }> {
  try {
    const storedPath = await call.host.kept.output(text);
    const note = (from: CutPlace) =>
      [`the full result is in ${storedPath}`, describeReading(from, call.resolved.wording)]
        .filter((part) => part !== "")
        .join("; ");
    return { storedPath, note };
  } catch (error) {
    return { note: `the full result could not be kept: ${(error as Error).message}` };
  }
}

/** A diff for a person, who would not read more. Its secrets are masked. */
export function diffForPeople(redactor: Redactor, diff: string): string {
  return cutMiddle(redactor.text(diff), { maxCharacters: 20_000, headShare: 0.8 }).text;
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

/**
 * Normalizes what a tool returned and masks secrets in its data. Values under a telling key, such as `password`, are
 * masked before `toText`. Secrets known by their look are masked later, in the finished text: a tool that numbers lines
 * or marks matches counts characters of the original strings.
 */
export function maskedResult(
  redactor: Redactor,
  value: ToolReturn,
  toText?: (value: never) => string,
): NormalizedResult {
  const result = normalizeResult(value, toText);
  if (result.data === undefined) return result;
  const data = redactor.value(result.data);
  const hasParts = isPartsResult(value);
  if (data === result.data && !hasParts) return result;
  // A result without its own text is written as JSON, where a secret may have forms that masking does not know.
  if (toText === undefined && !hasParts) return normalizeResult(data);
  return { ...normalizeResult(redactor.named(value), toText), data };
}
