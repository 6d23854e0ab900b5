import type { CalledTool, LoggedEventOf } from "../../../kernel/events/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { createRequestedCalls } from "./event-translator.ts";

interface KodeApproval {
  readonly required: boolean;
  readonly decision?: "allow" | "deny";
  readonly decidedBy?: string;
  readonly decidedAt?: number;
  readonly note?: string;
}

type KodeCallState =
  | "PENDING"
  | "APPROVAL_REQUIRED"
  | "APPROVED"
  | "EXECUTING"
  | "COMPLETED"
  | "FAILED"
  | "DENIED"
  | "SEALED";

/** When a call came into a state, in milliseconds since the epoch, and the note that came with it. */
interface KodeAuditEntry {
  readonly state: KodeCallState;
  readonly timestamp: number;
  readonly note?: string;
}

/** A call in KODE's events. */
export interface KodeCall {
  readonly id: string;
  readonly name: string;
  readonly state: KodeCallState;
  readonly approval: KodeApproval;
  readonly input: unknown;
  readonly inputPreview: string;
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly durationMs?: number;
  readonly isError?: boolean;
  readonly result?: string;
  readonly error?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The states that it was in, in order. */
  readonly auditTrail: readonly KodeAuditEntry[];
}

/** The calls of a log with their approvals. */
export function createKodeCalls() {
  const spoken = createRequestedCalls();
  const approvals = new Map<string, KodeApproval>();
  const trails = new Map<string, KodeAuditEntry[]>();
  const nameOf = (call: CalledTool) => spoken.find(call).toolName;
  const describe = (call: CalledTool & { readonly input: unknown }) => ({
    id: call.callId,
    name: nameOf(call),
    approval: approvals.get(call.callId) ?? { required: false },
    input: call.input,
    inputPreview: preview(call.input),
  });
  /** Adds a state to the call's trail, and returns the fields that tell of it. */
  const enter = (
    callId: string,
    state: KodeCallState,
    { at, note }: { at: string; note?: string | undefined },
  ) => {
    const timestamp = Date.parse(at);
    const trail = trails.get(callId) ?? [{ state: "PENDING", timestamp }];
    trail.push({ state, timestamp, ...defined({ note }) });
    trails.set(callId, trail);
    return { state, createdAt: trail[0]!.timestamp, updatedAt: timestamp, auditTrail: [...trail] };
  };

  return {
    add: spoken.add,
    nameOf,
    onAsked(event: LoggedEventOf<"approval-request">): KodeCall {
      approvals.set(event.callId, { required: true });
      return { ...describe(event), ...enter(event.callId, "APPROVAL_REQUIRED", event) };
    },
    onDecided(event: LoggedEventOf<"approval-decision">) {
      const { callId, decision: given, decidedBy, note, at } = event;
      // A withdrawn request counts as denied.
      const decision: "allow" | "deny" = given === "allow" ? "allow" : "deny";
      const decidedAt = Date.parse(at);
      approvals.set(callId, { required: true, decision, decidedBy, decidedAt, ...defined({ note }) });
      // A denied call is told as such when it ends.
      if (decision === "allow") enter(callId, "APPROVED", { at, note });
      return { decision };
    },
    onStart: (event: LoggedEventOf<"call-start">): KodeCall => ({
      ...describe(event),
      ...enter(event.callId, "EXECUTING", event),
      startedAt: Date.parse(event.at),
    }),
    onEnd({ callId, receipt, text, error, at }: LoggedEventOf<"call-end">): KodeCall {
      const { status, durationMs, startedAt } = receipt;
      const call: KodeCall = {
        ...describe(receipt),
        ...enter(callId, endStates[status], { at, note: error?.message }),
        startedAt: Date.parse(startedAt),
        completedAt: Date.parse(at),
        durationMs,
        isError: status !== "done",
        ...(error === undefined ? { result: text } : { error: error.message }),
      };
      spoken.end(callId);
      approvals.delete(callId);
      trails.delete(callId);
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
