import { asFields, asFieldsList, type Fields, withId } from "./fields.ts";
import { appendText, type MessageStream, type StreamFormat } from "./message-stream.ts";

/** Chunks of chat completions, of OpenAI and of servers that speak nearly like it. */
export const openaiChatStream: StreamFormat = {
  recognises: ({ choices }) => Array.isArray(choices),
  open: openStream,
};

interface GrowingCall {
  id?: string;
  name: string;
  text: string;
}

function openStream(): MessageStream {
  const calls: GrowingCall[] = [];
  const byIndex = new Map<unknown, GrowingCall>();
  let content = "";
  let finishReason: unknown;

  /** A new call begins with an index or an id that was not there before; some servers leave one of the two out. */
  const findCall = ({ index, id }: Fields): GrowingCall => {
    const known = index === undefined && id === undefined ? calls.at(-1) : byIndex.get(index ?? id);
    const isOther = typeof id === "string" && id !== "" && known?.id !== undefined && known.id !== id;
    if (known !== undefined && !isOther) return known;
    const call: GrowingCall = { name: "", text: "" };
    calls.push(call);
    byIndex.set(index ?? id, call);
    return call;
  };

  const addDelta = (delta: Fields) => {
    const call = findCall(delta);
    const { name, arguments: more } = asFields(delta.function) ?? {};
    Object.assign(call, withId(delta.id));
    // Sent once, or again with every piece; never in pieces.
    if (call.name === "" && typeof name === "string") call.name = name;
    call.text = appendText(call.text, more);
  };

  return {
    add({ choices }) {
      const choice = asFieldsList(choices).find(({ index = 0 }) => index === 0);
      const delta = asFields(choice?.delta);
      content = appendText(content, delta?.content);
      for (const call of asFieldsList(delta?.tool_calls)) addDelta(call);
      finishReason = choice?.finish_reason ?? finishReason;
    },
    calls: () =>
      calls.map((call, index) => ({
        ...withId(call.id),
        name: call.name,
        arguments: call.text,
        hasEnded: hasEnded(finishReason, index === calls.length - 1),
      })),
    message: () => ({
      role: "assistant",
      content: content === "" ? null : content,
      ...(calls.length > 0 && { tool_calls: calls.map(toToolCall) }),
    }),
  };
}

/** All but the last call are followed by another, but only the end of the message says that they are complete. */
function hasEnded(finishReason: unknown, isLast: boolean): boolean {
  return typeof finishReason === "string" && !(isLast && finishReason === "length");
}

function toToolCall({ id = "", name, text }: GrowingCall): object {
  return { id, type: "function", function: { name, arguments: text } };
}
