import type { CalledTool, LoggedEventOf } from "../../runtime/events/session-event.ts";
import { createRequestedCalls, type RequestedCalls } from "./requested-calls.ts";

interface KodeApproval {
  readonly required: boolean;
  readonly decision?: "allow" | "deny";
  readonly decidedBy?: string;
  readonly decidedAt?: number;
  readonly note?: string;
}

/** A call in KODE's events. */
export interface KodeCall {
  readonly id: string;
  readonly name: string;
  readonly state: "APPROVAL_REQUIRED" | "EXECUTING" | "COMPLETED" | "FAILED" | "DENIED" | "SEALED";
  readonly approval: KodeApproval;
  readonly input: unknown;
  readonly inputPreview: string;
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly durationMs?: number;
  readonly isError?: boolean;
  readonly result?: string;
  readonly error?: string;
}

/** The calls of a log with their approvals. */
export interface KodeCalls extends Pick<RequestedCalls, "add"> {
  nameOf(call: CalledTool): string;
  onAsked(event: LoggedEventOf<"approval-request">): KodeCall;
  onDecided(event: LoggedEventOf<"approval-decision">): { readonly decision: "allow" | "deny" };
  onStart(event: LoggedEventOf<"call-start">): KodeCall;
  onEnd(event: LoggedEventOf<"call-end">): KodeCall;
}

export function createKodeCalls(): KodeCalls {
  const spoken = createRequestedCalls();
  const approvals = new Map<string, KodeApproval>();
  const nameOf = (call: CalledTool) => spoken.find(call).toolName;
  const describe = (call: CalledTool & { readonly input: unknown }) => ({
    id: call.callId,
    name: nameOf(call),
    approval: approvals.get(call.callId) ?? { required: false },
    input: call.input,
    inputPreview: preview(call.input),
  });

  return {
    add: spoken.add,
    nameOf,
    onAsked(event) {
      approvals.set(event.callId, { required: true });
      return { ...describe(event), state: "APPROVAL_REQUIRED" };
    },
    onDecided({ callId, decision: given, decidedBy, note, at }) {
      // A withdrawn request counts as denied.
      const decision = given === "allow" ? "allow" : "deny";
      const decidedAt = Date.parse(at);
      const said = note === undefined ? {} : { note };
      approvals.set(callId, { required: true, decision, decidedBy, decidedAt, ...said });
      return { decision };
    },
    onStart: (event) => ({ ...describe(event), state: "EXECUTING", startedAt: Date.parse(event.at) }),
    onEnd({ callId, receipt, text, error, at }) {
      const { status, durationMs, startedAt } = receipt;
      const call: KodeCall = {
        ...describe(receipt),
        state: endStates[status],
        startedAt: Date.parse(startedAt),
        completedAt: Date.parse(at),
        durationMs,
        isError: status !== "done",
        ...(error === undefined ? { result: text } : { error: error.message }),
      };
      spoken.end(callId);
      approvals.delete(callId);
      return call;
    },
  };
}

const endStates = {
  done: "COMPLETED",
  failed: "FAILED",
  denied: "DENIED",
  "timed-out": "FAILED",
  cancelled: "FAILED",
  sealed: "SEALED",
} as const;

const maxPreviewCharacters = 200;

function preview(input: unknown): string {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  return text.length > maxPreviewCharacters ? `${text.slice(0, maxPreviewCharacters)}…` : text;
}
