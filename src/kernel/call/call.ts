import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { type Caller, callerKeys } from "../../tool/caller.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import type { Logger } from "../../tool/tool-context.ts";
import type { ToolReturn } from "../../tool/tool-result.ts";
import type { ResolvedName } from "../dialects/index.ts";
import type { CalledTool, FileChange, Noted, Receipt, ReceiptBody } from "../events/index.ts";
import type { ApprovalHandler } from "../people/index.ts";
import type { CallGate, DecisionInput, Verdict } from "../policy/index.ts";
import type { Delegation } from "../services/index.ts";
import type { CallDeadline } from "./call-deadline.ts";
import type { CallHost } from "./call-host.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** What a caller asks for. */
export interface CallRequest {
  readonly name: string;
  readonly input: unknown;
  /** Why the input is incomplete, as when a model's text was cut off; such a call is refused. */
  readonly inputProblem?: string;
  /** The caller's own id for the call. If an earlier call has it, a new id is made. */
  readonly id?: string;
  /** The id was made by `newId` for this call, so it need not be checked against earlier calls. */
  readonly isNewId?: true;
  readonly signal?: AbortSignal;
  /** The call's own deadline. */
  readonly timeoutMs?: number;
  /** Without `timeoutMs`: caps the tool's own timeout, and is the timeout where the tool has none. */
  readonly maxTimeoutMs?: number;
  /** Caps the tool's own output limit, such as for a model whose context window is small. */
  readonly maxOutputCharacters?: number;
  readonly onProgress?: (update: unknown) => void;
  /** Receives what the tool logs, as it is written to the session's log. */
  readonly onLog?: (entry: LogMessage) => void;
  readonly caller?: Caller;
  /** Decides on this call's approvals, in place of the runtime's handler. */
  readonly onApproval?: ApprovalHandler;
  /** Answers this call's questions, in place of the runtime's handler. */
  readonly onQuestion?: QuestionHandler;
  /** Report what the call would change, without changing it. */
  readonly isDryRun?: boolean;
}

export const requestKeys = knownKeys<CallRequest>({
  name: value,
  input: foreign,
  inputProblem: value,
  id: value,
  isNewId: value,
  signal: foreign,
  timeoutMs: value,
  maxTimeoutMs: value,
  onProgress: value,
  onLog: value,
  caller: callerKeys,
  onApproval: value,
  onQuestion: value,
  isDryRun: value,
  maxOutputCharacters: value,
});

export interface LogMessage {
  readonly level: keyof Logger;
  readonly message: string;
  readonly data?: unknown;
}

export interface CallResult extends CallOutcome {
  readonly callId: string;
  readonly receipt: Receipt;
}

/** One of the slots for concurrent calls; released while the call waits for a person. */
export interface Slot {
  /** Calls that change files follow at once, so findings about changes can wait for the last. */
  readonly areChangesNext?: boolean;
  release(): void;
  acquire(): Promise<void>;
}

/** The state of a running call. Its receipt is made from this. */
export interface Call {
  readonly id: string;
  readonly request: CallRequest;
  readonly host: CallHost;
  readonly caller: Caller;
  readonly deadline: CallDeadline;
  readonly slot: Slot | undefined;
  resolved?: ResolvedName;
  readonly gate?: CallGate;
  /** Canonical and valid. */
  input?: unknown;
  answers: HookAnswers;
  /** What its stages and services have to say in the receipt. */
  readonly noted: Noted & { conversions?: ReceiptBody["conversions"]; undo?: ReceiptBody["undo"] };
  /** What its tool has done so far. */
  readonly work: CallWork;
  verdict?: Verdict;
  /** The call needed approval because it has given the same result too often. */
  isLooping?: boolean;
  /** How many results the watch for loops had counted when the call was made. */
  begunAt?: number;
  /** Whether the log has its start; unset before the call gets that far. */
  start?: "recorded" | "told to stop" | "unrecorded";
  recorded?: RecordedInput;
  /** The answer that is held for it until it begins. */
  heldAnswer?: string;
  /** The secrets that its input names, to be read once the call is allowed. */
  secretNames?: readonly string[];
  /** Their values. */
  secrets?: ReadonlyMap<string, string>;
}

/** What the hooks before a call decided, for the later stages. */
export interface HookAnswers {
  /** `ask` or `deny`, which the permission decision takes into account. */
  readonly ruling?: NonNullable<DecisionInput["hook"]>;
  /** A result to return without running the tool. */
  readonly instead?: { readonly value: ToolReturn };
  /** What one of them wrote in the place of the caller's input. */
  readonly written?: unknown;
}

export const noAnswers: HookAnswers = {};

/** What a tool has done in a call. */
interface CallWork {
  /** Every change to a file, in order. */
  changes?: FileChange[];
  /** Changes that have begun and not ended. */
  underway?: Set<Promise<unknown>>;
  /** Its work for sub-agents. */
  delegation?: TimedDelegation;
  /** Hosts that it has connected to. */
  hosts?: Set<string>;
  /** How long the tool ran, without its waits for people and sub-agents. */
  wallTimeMs?: number;
  /** What the tool said about an answer that leaves something out. */
  truncation?: { readonly storedPath?: string };
  /** For a tool with its own `undo`: its input, which `run` may have changed since, and what `run` returned. */
  own?: { readonly input: unknown; output: unknown };
}

export interface TimedDelegation extends Delegation {
  /** Time spent only waiting for sub-agents. It is not charged to the call, because their own calls are. */
  readonly waitedMs: number;
  end(): void;
}

/** An input as logged: secrets masked, long strings cut, with the hash of the original. */
export interface RecordedInput {
  readonly of: unknown;
  readonly input: unknown;
  readonly inputHash: string;
}

/** A call whose tool has been found. */
export interface ResolvedCall extends Call {
  resolved: ResolvedName;
  /** Judges everything that services open on behalf of the call. */
  readonly gate: CallGate;
}

/** Its start is on record, so it may have had effects. */
export function hasBegun({ start }: Call): boolean {
  return start === "recorded" || start === "told to stop";
}

/** The tool name as the caller gave it, even if it was not a string. */
export function nameOf({ resolved, request }: Call): string {
  const { name } = request as { name: unknown };
  return resolved?.spokenName ?? (typeof name === "string" ? name : `(${typeof name})`);
}

/** How events name the call and its tool. */
export function calledTool({ id: callId, resolved: { entry, spokenName } }: ResolvedCall): CalledTool {
  const { name: tool, versionOf } = entry;
  // Fast path: nearly every call, and several events of each.
  if (spokenName === tool && versionOf === undefined) return { callId, tool };
  return {
    callId,
    tool,
    ...(spokenName !== tool && { calledAs: spokenName }),
    ...(entry.versionOf && { toolVersion: entry.versionOf() }),
  };
}

export function toolOf(call: ResolvedCall): AnyTool {
  return call.resolved.entry.tool;
}
