import { defined } from "../../shared/options/defined.ts";
import { asFields, asFieldsList, type Fields, withId, withName } from "../fields.ts";
import { appendText, cutOffProblem, readArguments } from "../read-arguments.ts";
import { contentOf, hasFailed } from "../result-content.ts";
import { createPartialArguments, type PartialArguments } from "../streams/partial-arguments.ts";
import type {
  AdaptedTool,
  CallAnswer,
  MessageStream,
  ReadCall,
  StreamedCall,
  StreamFormat,
  ToolFormat,
} from "../tool-format.ts";
import { type GeminiSchema, toGeminiSchema } from "./gemini-schema.ts";

export interface GeminiTool {
  readonly functionDeclarations: GeminiFunction[];
}

export interface GeminiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters?: GeminiSchema;
}

export interface GeminiAnswer {
  readonly role: "user";
  readonly parts: GeminiPart[];
}

export type GeminiPart =
  | {
      readonly functionResponse: {
        readonly id?: string;
        readonly name: string;
        readonly response: { readonly output: string } | { readonly error: string };
      };
    }
  | { readonly text: string }
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } };

/** Gemini's contents; all our tools become functions of a single Gemini tool. */
export const geminiFormat: ToolFormat<GeminiTool[], GeminiAnswer> = {
  limitsNames: true,
  adaptSchema: (schema) => ({ schema: toGeminiSchema(schema), isStrict: false }),
  renderTools: (tools) => (tools.length === 0 ? [] : [{ functionDeclarations: tools.map(toFunction) }]),
  readCalls(message) {
    const fields = asFields(message);
    const [candidate] = asFieldsList(fields?.candidates);
    const content = candidate === undefined ? fields : asFields(candidate.content);
    const calls = asFieldsList(content?.parts).map(({ functionCall }) => functionCall);
    return asFieldsList(calls).map(readCall);
  },
  renderAnswers: (answers) => [
    { role: "user", parts: [...answers.map(toResponse), ...answers.flatMap(toMediaParts)] },
  ],
};

function toFunction({ name, description, inputSchema }: AdaptedTool): GeminiFunction {
  // Gemini refuses an object without properties, so a tool without input has no parameters.
  return { name, description, ...defined({ parameters: inputSchema.properties && inputSchema }) };
}

function readCall({ id, name, args, partialArgs, willContinue }: Fields): ReadCall {
  const call = withName(id, name);
  // A piece of a streamed message that was not assembled.
  const isPiece = partialArgs !== undefined || willContinue === true;
  if (isPiece) return { ...call, input: args, inputProblem: cutOffProblem };
  return { ...call, ...readArguments(args) };
}

function toResponse(answer: CallAnswer): GeminiPart {
  const { call } = answer;
  const { text } = contentOf(answer, imageTypes, { audioTypes });
  const response = hasFailed(answer) ? { error: text } : { output: text };
  return { functionResponse: { ...withId(call.id), name: call.name, response } };
}

function toMediaParts(answer: CallAnswer): GeminiPart[] {
  const { images, recordings } = contentOf(answer, imageTypes, { audioTypes });
  const media = [...images, ...recordings];
  if (media.length === 0) return [];
  return [
    { text: `From ${answer.call.name}:` },
    ...media.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } })),
  ];
}

const imageTypes: ReadonlySet<string> = new Set(
  "image/png image/jpeg image/webp image/heic image/heif".split(" "),
);

const audioTypes: ReadonlySet<string> = new Set(
  "audio/wav audio/mp3 audio/aiff audio/aac audio/ogg audio/flac".split(" "),
);

/** Chunks of Gemini's contents: text comes in pieces, and so do arguments, if the request asked for that. */
export const geminiStream: StreamFormat = {
  recognises: ({ candidates }) => Array.isArray(candidates),
  open: openStream,
};

function openStream(): MessageStream {
  const parts: GrowingPart[] = [];
  let hasRunOut = false;
  // At the token limit, the last call may be incomplete.
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
  /** The part without its arguments. */
  fields: Fields;
  /** Undefined if the call came in one piece. */
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

/** Finds the call that a piece goes on with. Only the first piece of a call has its name; one without an id is the last call's. */
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

/** Undefined for a piece of a call that has not started. */
function beginCall(part: Fields, { name, args, partialArgs, willContinue }: Fields): GrowingCall | undefined {
  if (name === undefined && args === undefined) return undefined;
  const isWhole = partialArgs === undefined && willContinue !== true;
  return { fields: part, arguments: isWhole ? undefined : createPartialArguments(), hasEnded: false };
}

function grow(call: GrowingCall, { functionCall: _call, ...others }: Fields, piece: Fields): void {
  // A signature may come with any piece.
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
    ? "the arguments arrived both whole and in pieces; call again"
    : call.arguments?.problem;
  return {
    ...withName(id, name),
    arguments: call.arguments === undefined ? args : call.arguments.value(),
    hasEnded: call.hasEnded && !isCut,
    problem,
  };
}

/** Gemini accepts only complete calls back, without the fields of pieces. */
function toPart({ fields, arguments: grown }: GrowingCall): Fields {
  if (grown === undefined) return fields;
  const { partialArgs: _pieces, willContinue: _flag, ...call } = asFields(fields.functionCall) ?? {};
  return { ...fields, functionCall: { ...call, args: grown.value() } };
}

/** A part with a signature is not joined to another, since the signature covers only that part. */
function continues(last: Fields, part: Fields): boolean {
  const isText = typeof last.text === "string" && typeof part.text === "string";
  return isText && last.thought === part.thought && !isSigned(last) && !isSigned(part);
}

function isSigned({ thoughtSignature }: Fields): boolean {
  return thoughtSignature !== undefined;
}
