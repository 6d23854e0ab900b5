import type { Channel, LoggedEvent } from "../../runtime/events/session-event.ts";
import { createTranslator, type EventTranslator } from "./event-translator.ts";

/** An event as KODE's agents give it to who has subscribed to a channel. */
export interface KodeEnvelope {
  readonly cursor: number;
  readonly bookmark: { readonly seq: number; readonly timestamp: number };
  readonly event: Readonly<Record<string, unknown>> & { readonly channel: Channel; readonly type: string };
}

type Say = (channel: Channel, type: string, fields?: object) => KodeEnvelope;

/** The log as KODE's three channels. */
export function createKodeEvents(): EventTranslator<KodeEnvelope> {
  /** What the model is in the middle of saying. */
  let open: "text" | "think" | undefined;
  const chunk = (kind: "text" | "think", delta: string, say: Say): KodeEnvelope[] => {
    const starts = open === kind ? [] : [say("progress", `${kind}_chunk_start`)];
    open = kind;
    return [...starts, say("progress", `${kind}_chunk`, { delta })];
  };

  return createTranslator<KodeEnvelope>({
    "session-opened": (event) => (event.resumed ? sayAt(event)("monitor", "agent_resumed") : []),
    "agent-start": (event) => sayAt(event)("monitor", "state_changed", { state: "WORKING" }),
    "text-delta": (event) => chunk("text", event.text, sayAt(event)),
    "reasoning-delta": (event) => chunk("think", event.text, sayAt(event)),
    "assistant-message": (event) => {
      open = undefined;
      const say = sayAt(event);
      const ends = event.content.flatMap((part) => {
        if (part.type === "tool-call") return [];
        const kind = part.type === "text" ? "text" : "think";
        return [say("progress", `${kind}_chunk_end`, { text: part.text })];
      });
      const { inputTokens = 0, outputTokens = 0 } = event.usage ?? {};
      const totalTokens = inputTokens + outputTokens;
      return [...ends, say("monitor", "token_usage", { inputTokens, outputTokens, totalTokens })];
    },
    "call-start": (event) =>
      sayAt(event)("progress", "tool:start", {
        call: { id: event.callId, name: event.tool, state: "EXECUTING", input: event.input },
      }),
    "call-end": endOfCall,
    "approval-requested": (event) =>
      sayAt(event)("control", "permission_required", {
        permissionId: event.approvalId,
        call: { id: event.callId, name: event.tool, state: "APPROVAL_REQUIRED", input: event.input },
        reason: event.reason,
      }),
    "approval-decided": (event) => {
      const { callId, approvalId: permissionId, decision, decidedBy, note } = event;
      return sayAt(event)("control", "permission_decided", {
        callId,
        permissionId,
        decision,
        decidedBy,
        note,
      });
    },
    "step-end": (event) => {
      const { step, durationMs } = event;
      return sayAt(event)("monitor", "step_complete", { step, durationMs });
    },
    "model-retry": (event) =>
      sayAt(event)("monitor", "error", { severity: "warn", phase: "model", message: event.reason }),
    "context-trimmed": (event) => sayAt(event)("monitor", "context_compression", { phase: "end" }),
    file_changed: (event) => sayAt(event)("monitor", "file_changed", { path: event.path }),
    todo_changed: (event) => sayAt(event)("monitor", "todo_changed", { changed: event.changed }),
    todo_reminder: (event) => sayAt(event)("monitor", "todo_reminder", { reason: event.text }),
    custom: (event) => {
      const { tool: toolName, eventType, data } = event;
      const { timestamp, seq } = bookmarkOf(event);
      const bookmark = { seq, timestamp };
      const fields = { toolName, eventType, ...(data !== undefined && { data }), timestamp, bookmark };
      return sayAt(event)("monitor", "tool_custom_event", fields);
    },
    "agent-end": (event) => {
      const say = sayAt(event);
      const { message } = event.error ?? {};
      const failure = { severity: "error", phase: "model", message };
      return [
        ...(message === undefined ? [] : [say("monitor", "error", failure)]),
        say("progress", "done", {
          step: event.steps,
          reason: event.reason === "interrupted" ? "interrupted" : "completed",
        }),
        say("monitor", "state_changed", { state: "READY" }),
      ];
    },
  });
}

const callStates = {
  done: "COMPLETED",
  failed: "FAILED",
  denied: "DENIED",
  "timed-out": "FAILED",
  cancelled: "FAILED",
  sealed: "SEALED",
} as const;

/** A call whose time was up or whose caller gave up is told as aborted, which is what alerts look for. */
function endOfCall(event: Extract<LoggedEvent, { type: "call-end" }>): KodeEnvelope[] {
  const { callId: id, receipt, error } = event;
  const say = sayAt(event);
  const { status, durationMs, input, calledAs: name = receipt.tool } = receipt;
  const call = { id, name, state: callStates[status], input, durationMs, isError: status !== "done" };
  const executed = say("monitor", "tool_executed", { call });
  const ended = say("progress", "tool:end", { call });
  if (error === undefined) return [ended, executed];
  const isAborted = status === "timed-out" || status === "cancelled";
  const message = isAborted ? `tool ${name} aborted: ${error.message}` : error.message;
  const detail = { callId: id, toolName: name, code: error.code, status };
  return [
    say("progress", "tool:error", { call, error: message }),
    ended,
    executed,
    say("monitor", "error", { severity: "warn", phase: "tool", message, detail }),
  ];
}

function sayAt(event: LoggedEvent): Say {
  const bookmark = bookmarkOf(event);
  return (channel, type, fields = {}) => ({
    cursor: event.sequence,
    bookmark,
    event: { channel, type, ...fields },
  });
}

function bookmarkOf({ sequence: seq, at }: LoggedEvent): KodeEnvelope["bookmark"] {
  return { seq, timestamp: Date.parse(at) };
}
