import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import {
  appendText,
  type MessageStream,
  type StreamedCall,
  type StreamFormat,
} from "../streams/message-stream.ts";
import { createPartialArguments, type PartialArguments } from "../streams/partial-arguments.ts";

/** Chunks of Gemini's contents: text comes in pieces, and so do the arguments of calls for those who ask for that. */
export const geminiStream: StreamFormat = {
  recognises: ({ candidates }) => Array.isArray(candidates),
  open: openStream,
};

function openStream(): MessageStream {
  const parts: GrowingPart[] = [];
  let hasRunOut = false;
  // Its last call may have been ended in the middle.
  const isCut = (call: GrowingCall) => hasRunOut && call.arguments !== undefined && call === parts.at(-1);
  const add = (part: Fields) => {
    const call = asFields(part.functionCall);
    const last = parts.at(-1);
    if (call !== undefined) addCall(parts, part, call);
    else if (last !== undefined && continues(last.fields, part)) {
      const text = appendText(last.fields.text as string, part.text);
      parts[parts.length - 1] = { fields: { ...last.fields, ...part, text } };
    } else parts.push({ fields: part });
  };
  return {
    add({ candidates }) {
      const candidate = asFieldsList(candidates).find(({ index = 0 }) => index === 0);
      for (const part of asFieldsList(asFields(candidate?.content)?.parts)) add(part);
      hasRunOut ||= candidate?.finishReason === "MAX_TOKENS";
    },
    calls: () => parts.filter(isCall).map((call) => toCall(call, { isCut: isCut(call) })),
    message: () => ({
      role: "model",
      parts: parts.map((part) => (isCall(part) ? toPart(part) : part.fields)),
    }),
  };
}

type GrowingPart = { readonly fields: Fields } | GrowingCall;

interface GrowingCall {
  /** All of the part but its arguments. */
  fields: Fields;
  /** Absent where the call came whole. */
  readonly arguments: PartialArguments | undefined;
  hasEnded: boolean;
}

function isCall(part: GrowingPart): part is GrowingCall {
  return "hasEnded" in part;
}

function addCall(parts: GrowingPart[], part: Fields, call: Fields): void {
  const growing = findGrowing(parts, call) ?? beginCall(part, call);
  if (growing === undefined) return;
  if (!parts.includes(growing)) parts.push(growing);
  grow(growing, part, call);
}

/** Only the first piece of a call has its name; one without an id, too, is of the last call. */
function findGrowing(parts: readonly GrowingPart[], { id, name, args }: Fields): GrowingCall | undefined {
  const growing = parts.filter(isCall).filter((call) => call.arguments !== undefined);
  const isFirst = name !== undefined || args !== undefined;
  const named = growing.find((call) => id !== undefined && idOf(call) === id && !(isFirst && call.hasEnded));
  const last = growing.at(-1);
  const isOfLast = !isFirst && last !== undefined && (id === undefined || idOf(last) === undefined);
  return named ?? (isOfLast ? last : undefined);
}

function idOf({ fields }: GrowingCall): unknown {
  return asFields(fields.functionCall)?.id;
}

/** Undefined for the end of a call that has not begun. */
function beginCall(part: Fields, { name, args, partialArgs, willContinue }: Fields): GrowingCall | undefined {
  if (name === undefined && args === undefined) return undefined;
  const isWhole = partialArgs === undefined && willContinue !== true;
  return { fields: part, arguments: isWhole ? undefined : createPartialArguments(), hasEnded: false };
}

function grow(call: GrowingCall, { functionCall: _call, ...others }: Fields, piece: Fields): void {
  // A signature may come with any of the pieces.
  call.fields = { ...call.fields, ...others };
  const pieces = asFieldsList(piece.partialArgs);
  for (const each of pieces) call.arguments?.add(each);
  const isOpen = pieces.some(({ willContinue }) => willContinue === true);
  call.hasEnded = piece.willContinue !== true && !isOpen;
}

function toCall(call: GrowingCall, { isCut }: { isCut: boolean }): StreamedCall {
  const { id, name, args } = asFields(call.fields.functionCall) ?? {};
  const isMixed = call.arguments !== undefined && Object.keys(asFields(args) ?? {}).length > 0;
  const problem = isMixed
    ? "the arguments came both whole and in pieces; call again"
    : call.arguments?.problem;
  return {
    ...withId(id),
    name: typeof name === "string" ? name : "",
    arguments: call.arguments === undefined ? args : call.arguments.value(),
    hasEnded: call.hasEnded && !isCut,
    ...(problem !== undefined && { problem }),
  };
}

/** Taken back only whole: pieces are for reading alone. */
function toPart({ fields, arguments: grown }: GrowingCall): Fields {
  if (grown === undefined) return fields;
  const { partialArgs: _pieces, willContinue: _flag, ...call } = asFields(fields.functionCall) ?? {};
  return { ...fields, functionCall: { ...call, args: grown.value() } };
}

/** A signature belongs to the part that it came with, so such a part is joined to no other. */
function continues(last: Fields, part: Fields): boolean {
  const isText = typeof last.text === "string" && typeof part.text === "string";
  return isText && last.thought === part.thought && !isSigned(last) && !isSigned(part);
}

function isSigned({ thoughtSignature }: Fields): boolean {
  return thoughtSignature !== undefined;
}
