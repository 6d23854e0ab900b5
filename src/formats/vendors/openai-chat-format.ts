import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { newId } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { asFields, asFieldsList, type Fields, withId, withName } from "../fields.ts";
import { appendText, cutOffProblem, readArguments } from "../read-arguments.ts";
import { commonImageTypes, contentOf, toDataUrl } from "../result-content.ts";
import { toCommonSchema } from "../schemas/common-schema.ts";
import { toStrictSchema } from "../schemas/strict-schema.ts";
import { repairJson } from "../streams/repair-json.ts";
import type {
  AdaptedSchema,
  CallAnswer,
  MessageStream,
  ReadCall,
  RenderOptions,
  StreamFormat,
  ToolFormat,
} from "../tool-format.ts";

export interface OpenAiTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: { readonly [keyword: string]: unknown };
    readonly strict?: boolean;
  };
}

export interface OpenAiToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

/** Carries the images of the results, which tool messages cannot hold. */
export interface OpenAiImageMessage {
  readonly role: "user";
  readonly content: (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image_url"; readonly image_url: { readonly url: string } }
  )[];
}

/** OpenAI's chat completions, and the many servers with the same API. */
export const openaiChatFormat: ToolFormat<OpenAiTool[], OpenAiToolMessage | OpenAiImageMessage> = {
  limitsNames: true,
  nullMeansAbsent: true,
  adaptSchema: adaptOpenAiSchema,
  renderTools: (tools) =>
    tools.map(({ name, description, inputSchema: parameters, isStrict }) => ({
      type: "function",
      function: { name, description, parameters, ...(isStrict && { strict: true }) },
    })),
  readCalls(message) {
    const { fields, isCutOff } = unwrapChoice(message);
    const calls = asFieldsList(fields?.tool_calls);
    return calls.map((call) => readCall(call, isCutOff && call === calls.at(-1)));
  },
  renderAnswers(answers) {
    const messages = answers.map(toToolMessage);
    const images = answers.flatMap(toImageContent);
    return images.length === 0 ? messages : [...messages, { role: "user", content: images }];
  },
};

export function adaptOpenAiSchema(schema: JsonSchema, { strict }: RenderOptions): AdaptedSchema {
  const strictSchema = strict ? toStrictSchema(schema) : undefined;
  if (strictSchema !== undefined) return { schema: strictSchema, isStrict: true };
  return { schema: toCommonSchema(schema), isStrict: false };
}

/** Accepts the message itself or a whole response that contains it. */
function unwrapChoice(message: unknown): { fields: Fields | undefined; isCutOff: boolean } {
  const fields = asFields(message);
  const [choice] = asFieldsList(fields?.choices);
  if (choice === undefined) return { fields, isCutOff: false };
  return { fields: asFields(choice.message), isCutOff: openaiCuttingReasons.has(choice.finish_reason) };
}

/** Finish reasons of a message that is incomplete. */
const openaiCuttingReasons: ReadonlySet<unknown> = new Set(["length", "content_filter"]);

function readCall(call: Fields, isCutOff: boolean): ReadCall {
  const custom = call.type === "custom" ? asFields(call.custom) : undefined;
  const { name, arguments: given } = custom ?? asFields(call.function) ?? {};
  const made = withName(call.id, name);
  if (custom !== undefined) return { ...made, input: custom.input, inputProblem: freeFormProblem };
  // A call that was cut off before its first argument looks like a call without arguments.
  if (isCutOff && (given === undefined || given === ""))
    return { ...made, input: {}, inputProblem: cutOffProblem };
  return { ...made, ...readArguments(given) };
}

export const freeFormProblem = "the arguments must be a JSON object, not free text";

function toToolMessage(answer: CallAnswer): OpenAiToolMessage {
  const { text, images } = contentOf(answer, commonImageTypes);
  const note = images.length === 0 ? "" : `[${countOf(images.length, "image")} in the next message]`;
  const content = [text, note].filter((part) => part !== "").join("\n");
  return { role: "tool", tool_call_id: answer.call.id ?? "", content };
}

function toImageContent(answer: CallAnswer): OpenAiImageMessage["content"] {
  const { images } = contentOf(answer, commonImageTypes);
  if (images.length === 0) return [];
  const { name, id } = answer.call;
  const source = id === undefined ? name : `${name} (${id})`;
  return [
    { type: "text", text: `${countOf(images.length, "image")} from ${source}:` },
    ...images.map((image) => ({ type: "image_url" as const, image_url: { url: toDataUrl(image) } })),
  ];
}

/** Chunks of chat completions from OpenAI and from servers with a similar API. */
export const openaiChatStream: StreamFormat = {
  recognises: ({ choices }) => Array.isArray(choices),
  open: openStream,
};

interface GrowingCall {
  readonly place: number;
  id?: string;
  name: string;
  text: string;
  /** Further fields that a vendor wants back, such as a reasoning signature. */
  others: Fields;
}

function openStream(): MessageStream {
  const calls: GrowingCall[] = [];
  const byIndex = new Map<unknown, GrowingCall>();
  const texts = { content: "", reasoning_content: "", refusal: "" };
  let finishReason: unknown;

  /** Finds the call that a piece belongs to. A new call starts with a new index or id; some servers omit one of the two. */
  const findCall = (delta: Fields): GrowingCall => {
    const { id } = withId(delta.id);
    const index = typeof delta.index === "number" ? delta.index : undefined;
    const key = index ?? id;
    const known = key === undefined ? calls.at(-1) : byIndex.get(key);
    const isOther = id !== undefined && known?.id !== undefined && known.id !== id;
    if (known !== undefined && !isOther && !isNext(known, delta)) return known;
    const call: GrowingCall = { place: index ?? 0, name: "", text: "", others: {} };
    calls.push(call);
    byIndex.set(key, call);
    return call;
  };

  const addDelta = (delta: Fields) => {
    const call = findCall(delta);
    const { index: _index, id, type: _type, function: called, ...others } = delta;
    const { name, arguments: more } = asFields(called) ?? {};
    Object.assign(call, withId(id));
    // The name is sent whole, once or with every piece.
    if (call.name === "" && typeof name === "string") call.name = name;
    call.text = appendText(call.text, more);
    call.others = { ...call.others, ...others };
  };

  const inOrder = () => calls.toSorted((one, other) => one.place - other.place);

  return {
    add({ choices }) {
      const choice = asFieldsList(choices).find(({ index = 0 }) => index === 0);
      const delta = asFields(choice?.delta);
      for (const name of textNames) texts[name] = appendText(texts[name], delta?.[name]);
      for (const call of asFieldsList(delta?.tool_calls)) addDelta(call);
      finishReason = choice?.finish_reason ?? finishReason;
    },
    calls: () =>
      inOrder().map((call, index) => ({
        ...withId(call.id),
        name: call.name,
        arguments: call.text,
        hasEnded: hasEnded(finishReason, index === calls.length - 1),
      })),
    message() {
      const { content, reasoning_content, refusal } = texts;
      const hasCalls = calls.length > 0;
      return defined({
        role: "assistant",
        content: content || null,
        refusal: refusal || undefined,
        // Servers that send it refuse calls that come back without it.
        reasoning_content: hasCalls ? reasoning_content || undefined : undefined,
        tool_calls: hasCalls ? inOrder().map(toToolCall) : undefined,
      });
    },
  };
}

const textNames = ["content", "reasoning_content", "refusal"] as const;

/** Some servers send complete calls one after the other, all with the same index and without an id. */
function isNext(known: GrowingCall, { id, function: called }: Fields): boolean {
  const { name, arguments: more } = asFields(called) ?? {};
  if (known.id !== undefined || withId(id).id !== undefined || !known.text.endsWith("}")) return false;
  const begins = typeof name === "string" && typeof more === "string" && more.startsWith("{");
  return begins && repairJson(known.text).state === "whole";
}

/** Only the end of the message proves that calls are complete; the last one may still be cut off. */
function hasEnded(finishReason: unknown, isLast: boolean): boolean {
  return typeof finishReason === "string" && !(isLast && openaiCuttingReasons.has(finishReason));
}

/** Vendors need an id to match the answer, so a call without one gets one here. */
function toToolCall(call: GrowingCall): object {
  call.id ??= newId("call");
  const { id, name, text, others } = call;
  return { ...others, id, type: "function", function: { name, arguments: text } };
}
