import { newId } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import { asFields, asFieldsList, type Fields, withId } from "../fields.ts";
import { appendText, type MessageStream, type StreamFormat } from "../streams/message-stream.ts";
import { repairJson } from "../streams/repair-json.ts";
import { openaiCuttingReasons } from "./openai-chat-format.ts";

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
