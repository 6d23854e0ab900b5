import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import { createTranslator, type EventTranslator } from "./event-translator.ts";

/** An event as Flyto's engine sends it to a browser: a named server-sent event. */
export interface FlytoEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The log as Flyto's stream of server-sent events. */
export function createFlytoEvents(): EventTranslator<FlytoEvent> {
  return createTranslator<FlytoEvent>({
    "step-start": ({ step }) => send("turn_start", { turn: step }),
    "text-delta": ({ text }) => send("text_delta", { text }),
    "reasoning-delta": ({ text }) => send("thinking_delta", { text }),
    "assistant-message": ({ content }) =>
      content.map((part) => {
        if (part.type === "text") return send("text", { text: part.text });
        if (part.type === "reasoning") return send("thinking", { text: part.text });
        return send("tool_use", { id: part.callId, name: part.toolName, input: part.input });
      }),
    "call-progress": ({ callId, tool, update }) =>
      send("tool_progress", { tool_use_id: callId, name: tool, progress: update }),
    "approval-requested": ({ approvalId, callId, tool, input, reason }) =>
      send("permission_request", { id: approvalId, tool_use_id: callId, tool_name: tool, input, reason }),
    "call-end": ({ callId, receipt, text }) =>
      send("tool_result", {
        tool_use_id: callId,
        name: receipt.calledAs ?? receipt.tool,
        output: text,
        is_error: receipt.status !== "done",
        duration_ms: receipt.durationMs,
      }),
    "step-end": ({ step }) => send("turn_end", { turn: step }),
    "agent-end": endOf,
  });
}

function endOf({
  reason,
  text,
  steps,
  usage,
  error,
}: Extract<LoggedEvent, { type: "agent-end" }>): FlytoEvent[] {
  const done = send("done", { reason, text, turns: steps, usage });
  return error === undefined ? [done] : [send("error", { message: error.message }), done];
}

function send(event: string, data: FlytoEvent["data"]): FlytoEvent {
  return { event, data };
}

/** As it goes over the wire; the number lets a client that was cut off ask for what came after it. */
export function formatServerSentEvent({ event, data }: FlytoEvent, sequence: number): string {
  return `id: ${sequence}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
