import type { CallResult } from "../../call/index.ts";
import type { LoggedEvent } from "../../events/index.ts";
import type { ApprovalHandler, ApprovalRequest, DecisionDetails } from "../../people/index.ts";
import type { EventQuery } from "../../session/index.ts";
import type { SessionOwner } from "../../store/index.ts";
import type { UndoOptions } from "../session.ts";

/**
 * A session that another process may have open: read without opening it, and changed by its owner. A session without an
 * owner is opened here for a moment.
 */
export interface RemoteSession {
  readonly id: string;
  /** The process that has it open, if there is one. */
  owner(): Promise<SessionOwner | undefined>;
  bookmark(): Promise<number>;
  /** The events of the conversation as it stands now: without rewound events, and with those from before a fork. */
  conversation(): AsyncGenerator<LoggedEvent, void, void>;
  /** Past events since a bookmark, then new ones as they happen, until the signal or the runtime ends. */
  events(query?: EventQuery): AsyncGenerator<LoggedEvent, void, void>;
  variables(): Promise<ReadonlyMap<string, unknown>>;
  /** Without a value, removes it. */
  setVariable(name: string, value?: unknown): Promise<void>;
  /** Changes a variable depending on its value, however many do so at once. `change` may be called several times. */
  updateVariable(name: string, change: (value: unknown) => unknown): Promise<unknown>;
  undo(callId: string, options?: RemoteUndoOptions): Promise<CallResult>;
  redo(callId: string, options?: RemoteUndoOptions): Promise<CallResult>;
  /** Cancels a call, or everything that runs. Returns how much that was. */
  cancel(callId?: string): Promise<number>;
  /** Leaves a message for the session's agent, which reads it in its next step, or when it runs again. */
  send(message: string): Promise<void>;
  /** The calls that wait for a decision. */
  approvals(): Promise<readonly ApprovalRequest[]>;
  /** Decides on a waiting call. Rejects if it was decided before, or has ended. */
  decide(
    approvalId: string,
    decision: "allow" | "deny",
    details?: Omit<DecisionDetails, "by">,
  ): Promise<void>;
}

export interface RemoteUndoOptions extends Pick<UndoOptions, "signal" | "caller"> {
  /** Asked if the owner of the session would have to ask a person. */
  readonly onApproval?: ApprovalHandler;
}
