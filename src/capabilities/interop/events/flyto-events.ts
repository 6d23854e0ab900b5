import type { CalledTool, LoggedEventOf } from "../../../kernel/events/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import {
  createChildTranslators,
  createRequestedCalls,
  createTranslator,
  type EventTranslator,
} from "./event-translator.ts";

/** A named server-sent event of Flyto's engine. */
export interface FlytoEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Translates the log into Flyto's server-sent events. */
export function createFlytoEvents(): EventTranslator<FlytoEvent> {
  const calls = createRequestedCalls();
  const children = createChildTranslators(createFlytoEvents);
  const nameOf = (call: CalledTool) => calls.find(call).toolName;

  return createTranslator<FlytoEvent>({
    "step-start": ({ step }) => send("turn_start", { turn: step }),
    "text-delta": ({ text }) => send("text_delta", { text }),
    "reasoning-delta": ({ text }) => send("thinking_delta", { text }),
    "assistant-message": ({ content }) =>
      content.map((part) => {
        if (part.type === "text") return send("text", { text: part.text });
        if (part.type === "reasoning") return send("thinking", { text: part.text });
        calls.add(part);
        return send("tool_use", { id: part.callId, name: part.toolName, input: part.input });
      }),
    "call-progress": (event) =>
      send("tool_progress", { tool_use_id: event.callId, name: nameOf(event), progress: event.update }),
    "approval-request": (event) =>
      send("permission_request", {
        id: event.approvalId,
        tool_use_id: event.callId,
        tool_name: nameOf(event),
        input: event.input,
        reason: event.reason,
      }),
    "call-end": ({ callId, receipt, text }) => {
      const name = nameOf(receipt);
      calls.end(callId);
      return send("tool_result", {
        tool_use_id: callId,
        name,
        output: text,
        is_error: receipt.status !== "done",
        duration_ms: receipt.durationMs,
      });
    },
    "step-end": ({ step }) => send("turn_end", { turn: step }),
    "agent-end": endOf,
    "subagent-start": ({ subagentId, callId, title, mode, kind, childSessionId, branch }) =>
      send("subagent_start", {
        subagent_id: subagentId,
        tool_use_id: callId,
        description: title,
        mode,
        session_id: childSessionId,
        ...defined({ agent_type: kind, branch_name: branch }),
      }),
    "subagent-event": (event) =>
      children.translate(event).flatMap((message) => forward(message, event.subagentId)),
    "subagent-end": (event) => {
      children.end(event.subagentId);
      return endOfChild(event);
    },
  });
}

/** Approval requests of a sub-agent are also sent as such: once, with the id of the agent that asks. */
function forward({ event, data }: FlytoEvent, subagentId: string): FlytoEvent[] {
  const isQuestion = event === "permission_request";
  // From a deeper sub-agent; its `subagent_event` is forwarded separately.
  if (isQuestion && data.subagent_id !== undefined) return [{ event, data }];
  const forwarded = send("subagent_event", { subagent_id: subagentId, event, data });
  return isQuestion ? [forwarded, send(event, { ...data, subagent_id: subagentId })] : [forwarded];
}

function endOfChild(event: LoggedEventOf<"subagent-end">): FlytoEvent {
  const { subagentId, reason, text, problem, steps, calls, tokens, durationMs, work } = event;
  return send("subagent_end", {
    subagent_id: subagentId,
    reason,
    text,
    turns: steps,
    tool_calls: calls,
    tokens,
    duration_ms: durationMs,
    ...defined({ error: problem, branch_name: work?.isKept ? work.branch : undefined }),
  });
}

function endOf({ reason, text, steps, usage, error }: LoggedEventOf<"agent-end">): FlytoEvent[] {
  const done = send("done", { reason, text, turns: steps, usage });
  return error === undefined ? [done] : [send("error", { message: error.message }), done];
}

function send(event: string, data: FlytoEvent["data"]): FlytoEvent {
  return { event, data };
}

/**
 * The event in wire format. The number lets a reconnecting client ask for what came after it; of several messages for one
 * logged event only the last has it, or a client could miss the rest.
 */
export function formatServerSentEvent({ event, data }: FlytoEvent, sequence?: number): string {
  const id = sequence === undefined ? "" : `id: ${sequence}\n`;
  return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
