import type { ValueConversion } from "../../shared/json-schema/readings/convert-value.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Caller } from "../../tool/caller.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import type { Effects, Verdict } from "../policy/index.ts";
import type { FileChange } from "./file-change.ts";

export type CallStatus = "done" | "failed" | "denied" | "timed-out" | "cancelled" | "sealed";

/** The record of a finished call, before it is linked into its session's chain. */
export interface ReceiptBody extends NotedFields {
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
  /** For a sealed call: the changes that it had made when its process ended; paths as in `effects`. */
  readonly changes?: readonly FileChange[];
  /** Blob key of the undo record, if the call can be undone. */
  readonly undo?: string;
}

/** The fields of receipts that capabilities write. Each adds its fields at its door (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add its members.
export interface NotedFields {}

/** These fields while the call runs. */
export type Noted = { -readonly [Name in keyof NotedFields]: NotedFields[Name] };

/** How a field is written and shown. */
export interface ReceiptField<Value = unknown> {
  /** As the receipt keeps it. Default: as it was noted. */
  mask?(value: Value, redactor: Redactor): Value;
  /** Its lines in `toolwright log`: of each its name and its text. Default: none. */
  show?(value: Value): readonly (readonly [name: string, text: string])[];
}

/** Fields of the receipt in the order in which it has them. */
export type ReceiptFieldTable = {
  readonly [Name in keyof NotedFields]?: ReceiptField<NonNullable<NotedFields[Name]>>;
};

/** The fields of all capabilities, by name. */
export type ReceiptFields = ReadonlyMap<string, ReceiptField>;

/** A receipt in the chain: its hash covers the event that ended the call and the hash of the event before it. */
export interface Receipt extends ReceiptBody {
  /** Counted from 1, in the order in which the calls ended. */
  readonly position: number;
  /** The hash of the event before it in the log, whatever it is. */
  readonly previousHash: string;
  readonly hash: string;
}
