import type { ValueConversion } from "../../shared/json-schema/readings/convert-value.ts";
import type { Caller } from "../../tool/caller.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import type { Effects, Verdict } from "../policy/verdict.ts";
import type { FileChange } from "./file-change.ts";

export type CallStatus = "done" | "failed" | "denied" | "timed-out" | "cancelled" | "sealed";

/** The record of a finished call, before it is linked into its session's chain. */
export interface ReceiptBody {
  readonly callId: string;
  readonly sessionId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly caller: Caller;
  readonly tool: string;
  /** The name that the caller used, if it was another one. */
  readonly calledAs?: string;
  /**
   * Which version of the tool it was, as a hash: of a made tool's code, of the definition that a server gave, or of a plugin that was
   * added. Of another plugin, the version that it names.
   */
  readonly toolVersion?: string;
  /** With secrets masked; `inputHash` is of the original input. */
  readonly input: unknown;
  readonly inputHash: string;
  /** How `input` was read where the one given did not fit the schema, in the caller's terms. */
  readonly conversions?: readonly ValueConversion[];
  /** Absent if the call failed before there was a verdict. */
  readonly verdict?: Omit<Verdict, "effects">;
  readonly effects: Effects;
  readonly status: CallStatus;
  readonly code?: ErrorCode;
  readonly resultHash: string;
  readonly storedPath?: string;
  /** Nothing was changed; the result says what would have been. */
  readonly isDryRun?: true;
  /** For a call that ran a command: its sandbox, or why it had none. */
  readonly sandbox?: string;
  /** Absolute paths that its command made or changed, and that may run as code later. */
  readonly planted?: readonly string[];
  /** For a call that used the web through a proxy; with `proxy-resolved` the proxy looked up the names, unchecked. */
  readonly route?: "proxy" | "proxy-resolved";
  /** What the project's checkers found in the changed files; `problems` are the new ones. */
  readonly diagnostics?: readonly CheckRecord[];
  /** For a sealed call: what it had changed when its process ended; paths as in `effects`. */
  readonly changes?: readonly FileChange[];
  /** Blob key of the undo record, if the call can be undone. */
  readonly undo?: string;
}

/** One checker's word on a change, as numbers. */
export interface CheckRecord {
  /** The program. */
  readonly by: string;
  readonly status: "checked" | "refused" | "failed" | "timed-out";
  readonly problems?: number;
  /** Problems of the changed files that were there before. */
  readonly before?: number;
  readonly elsewhere?: number;
}

/** A receipt in the chain: its hash covers the event that ended the call and the hash of the event before it. */
export interface Receipt extends ReceiptBody {
  /** Counted from 1, in the order in which the calls ended. */
  readonly position: number;
  /** The hash of the event before it in the log, whatever it is. */
  readonly previousHash: string;
  readonly hash: string;
}
