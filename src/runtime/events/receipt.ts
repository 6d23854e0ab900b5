import type { Caller } from "../../tool/caller.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import type { Effects, Verdict } from "../policy/verdict.ts";

export type CallStatus = "done" | "failed" | "denied" | "timed-out" | "cancelled" | "sealed";

/** What stays of a finished call, before it is linked into its session's chain. */
export interface ReceiptBody {
  readonly callId: string;
  readonly sessionId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly caller: Caller;
  readonly tool: string;
  /** The name the caller used, where it was another one. */
  readonly calledAs?: string;
  /** With secrets masked; the hash is of the input as it was given. */
  readonly input: unknown;
  readonly inputHash: string;
  /** Absent when the call was refused before anything was decided. */
  readonly verdict?: Omit<Verdict, "effects">;
  readonly effects: Effects;
  readonly status: CallStatus;
  readonly code?: ErrorCode;
  readonly resultHash: string;
  readonly storedPath?: string;
  /** Nothing was changed; the result tells what would have been. */
  readonly isDryRun?: true;
  /** For a call that ran a command: the bounds it ran in, or that it had none and why. */
  readonly sandbox?: string;
  /** The call can be undone; under this name what that takes is kept. */
  readonly undo?: string;
}

/** A receipt in the chain: its hash covers the event that ended the call and the hash of the receipt before it. */
export interface Receipt extends ReceiptBody {
  /** From 1, in the order in which the calls ended. */
  readonly position: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** What the first receipt of a session is linked to. */
export const chainStart = "0".repeat(64);
