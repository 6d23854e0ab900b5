import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import { createTranslator, type EventTranslator } from "./event-translator.ts";

/** Who Eko's messages say it was. */
export interface EkoSender {
  readonly taskId: string;
  readonly agentName: string;
  readonly nodeId: string;
}

/** A message as Eko's callbacks get it. */
export type EkoMessage = EkoSender & {
  readonly streamType: "agent";
  readonly type: string;
  readonly [field: string]: unknown;
};

interface OpenStream {
  readonly streamId: string;
  text: string;
}

/** The log as the stream messages of Eko's callback. Texts grow under one stream id until the last one is done. */
export function createEkoMessages(sender: EkoSender): EventTranslator<EkoMessage> {
  const say = (type: string, fields: object = {}): EkoMessage => ({
    streamType: "agent",
    ...sender,
    type,
    ...fields,
  });
  let spoken: (OpenStream & { readonly type: "text" | "thinking" }) | undefined;
  /** What running calls have told so far. */
  const told = new Map<string, OpenStream>();

  const speak = (type: "text" | "thinking", event: LoggedEvent & { text: string }): EkoMessage => {
    if (spoken?.type !== type) spoken = { type, streamId: `${type}-${event.sequence}`, text: "" };
    spoken.text += event.text;
    return say(type, { streamId: spoken.streamId, streamDone: false, text: spoken.text });
  };

  return createTranslator<EkoMessage>({
    "agent-start": () => say("agent_start"),
    "text-delta": (event) => speak("text", event),
    "reasoning-delta": (event) => speak("thinking", event),
    "call-drafted": ({ toolName, toolCallId, characters }) =>
      say("tool_streaming", { toolName, toolCallId, toolId: toolCallId, paramsText: "", characters }),
    "assistant-message": (event) => {
      const last = spoken;
      spoken = undefined;
      return event.content.flatMap((part) => {
        if (part.type === "tool-call") {
          const about = named(part.toolName, part.callId);
          const paramsText = JSON.stringify(part.input);
          return [
            say("tool_streaming", { ...about, paramsText }),
            say("tool_use", { ...about, params: part.input }),
          ];
        }
        const type = part.type === "text" ? "text" : "thinking";
        const streamId = last?.type === type ? last.streamId : `${type}-${event.sequence}`;
        return [say(type, { streamId, streamDone: true, text: part.text })];
      });
    },
    "call-progress": ({ callId, tool, update, sequence }) => {
      const stream = told.get(callId) ?? { streamId: `running-${sequence}`, text: "" };
      told.set(callId, stream);
      const text = typeof update === "string" ? update : JSON.stringify(update);
      stream.text = stream.text === "" ? text : `${stream.text}\n${text}`;
      return say("tool_running", {
        ...named(tool, callId),
        text,
        streamId: stream.streamId,
        streamDone: false,
      });
    },
    "call-end": ({ callId, receipt, text }) => {
      const stream = told.get(callId);
      told.delete(callId);
      const about = named(receipt.calledAs ?? receipt.tool, callId);
      const last = stream && { text: stream.text, streamId: stream.streamId, streamDone: true };
      const toolResult = { content: [{ type: "text", text }], isError: receipt.status !== "done" };
      return [
        ...(last ? [say("tool_running", { ...about, ...last })] : []),
        say("tool_result", { ...about, params: receipt.input, toolResult }),
      ];
    },
    "agent-end": ({ text, usage, reason, error }) => [
      ...(error ? [say("error", { error: error.message })] : []),
      say("finish", { finishReason: reason, usage }),
      say("agent_result", { result: text, ...(error && { error: error.message }) }),
    ],
  });
}

/** Under the name of older versions and under that of newer ones. */
function named(toolName: string, callId: string) {
  return { toolName, toolId: callId, toolCallId: callId };
}
