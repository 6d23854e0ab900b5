import type { Deadline } from "../../shared/deadline.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Caller } from "../../tool/caller.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import type { Logger, SessionView, Variables } from "../../tool/tool-context.ts";
import type { DialectView, ResolvedName } from "../dialects/dialect-view.ts";
import type { FileChange } from "../events/file-change.ts";
import type { Receipt } from "../events/receipt.ts";
import type { CalledTool } from "../events/session-event.ts";
import type { ApprovalHandler, Approvals } from "../policy/approvals/approvals.ts";
import type { CallGate } from "../policy/call-gate.ts";
import type { Policy } from "../policy/policy.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { CallServices } from "../services/call-services.ts";
import type { Budget } from "../sessions/budget.ts";
import type { OpenCalls } from "../sessions/open-calls.ts";
import type { SessionLog } from "../sessions/session-log.ts";
import type { CallOutcome } from "./call-outcome.ts";
import type { TimedDelegation } from "./delegation.ts";
import type { HookChain } from "./hooks/hooks.ts";
import type { UndoStore } from "./undo/undo-store.ts";

/** What a caller asks for. */
export interface CallRequest {
  readonly name: string;
  readonly input: unknown;
  /** Why the input is not all that was meant, as when a model's text was cut off; such a call is refused. */
  readonly inputProblem?: string;
  /** The caller's own id for the call, if it has one; one that an earlier call has is not taken a second time. */
  readonly id?: string;
  /** The id was made by `newId` for this call, so there is no need to look whether another has it. */
  readonly isNewId?: true;
  readonly signal?: AbortSignal;
  /** The call's own deadline. */
  readonly timeoutMs?: number;
  /** Without a deadline of its own: no longer than this, and this where the tool does not say how long it may take. */
  readonly maxTimeoutMs?: number;
  readonly onProgress?: (update: unknown) => void;
  /** Hears what the tool logs, as it goes into the session's log. */
  readonly onLog?: (entry: LogMessage) => void;
  readonly caller?: Caller;
  /** Asked about this call in place of whoever the runtime would ask. */
  readonly onApproval?: ApprovalHandler;
  /** Answers this call's questions in place of whoever the runtime would ask. */
  readonly onQuestion?: QuestionHandler;
  /** Tells what the call would change, and changes nothing. */
  readonly isDryRun?: boolean;
}

export interface LogMessage {
  readonly level: keyof Logger;
  readonly message: string;
  readonly data?: unknown;
}

export interface CallResult extends CallOutcome {
  readonly callId: string;
  readonly receipt: Receipt;
}

/** What the pipeline needs of the session that a call belongs to. Joined in `open-session.ts`. */
export interface CallHost {
  readonly session: SessionView;
  /** This process's time with the session; tells its calls from those of a process that is gone. */
  readonly run: string;
  readonly caller: Caller;
  readonly openCalls: OpenCalls;
  readonly dialect: DialectView;
  readonly hooks: HookChain;
  readonly policy: Policy;
  readonly approvals: Approvals;
  readonly budget: Budget;
  readonly log: SessionLog;
  readonly redactor: Redactor;
  readonly variables: Variables;
  readonly taskVariables: Variables;
  readonly services: CallServices;
  readonly undo: UndoStore;
  readonly defaultTimeoutMs: number;
  /** Waits for a turn of the event loop when calls have kept it busy for long. */
  readonly yieldToEventLoop: (nowMs: number) => Promise<void> | undefined;
  /** This session's receipts of one call. */
  receipts(query: { callId: string }): Promise<readonly Receipt[]>;
  /** Keeps a whole output on disk and tells where. */
  keepOutput(text: string): Promise<string>;
}

/** A place among the calls that may run at once; given up while a person is waited for. */
export interface Slot {
  release(): void;
  acquire(): Promise<void>;
}

/** A call on its way: what is known of it so far. The receipt is made from this. */
export interface Call {
  readonly id: string;
  readonly request: CallRequest;
  readonly host: CallHost;
  readonly caller: Caller;
  readonly deadline: Deadline;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly startedClockMs: number;
  readonly slot: Slot | undefined;
  resolved?: ResolvedName;
  /** Canonical and valid. */
  input?: unknown;
  verdict?: Verdict;
  /** In which bounds the last command was started. */
  sandbox?: string;
  /** Whether what is about to happen is on record; unset while nothing is about to. */
  start?: "recorded" | "unrecorded";
  recorded?: RecordedInput;
  /** Every change to a file, in order. */
  changes?: FileChange[];
  /** What acts and is not over yet. */
  underway?: Set<Promise<unknown>>;
  /** To others who work for it. */
  delegation?: TimedDelegation;
  /** For a tool that undoes itself: what it returned. */
  output?: unknown;
  /** Under which name what it takes to undo the call is kept. */
  undoName?: string;
}

/** An input as the log shows it: secrets masked, long strings cut, and the hash of the whole. */
export interface RecordedInput {
  readonly of: unknown;
  readonly input: unknown;
  readonly inputHash: string;
}

/** A call whose tool has been found. */
export interface ResolvedCall extends Call {
  resolved: ResolvedName;
  /** Whatever is opened in its name is asked about here. */
  readonly gate: CallGate;
}

/** What the caller called, whatever it was that they passed. */
export function nameOf({ resolved, request }: Call): string {
  const { name } = request as { name: unknown };
  return resolved?.spokenName ?? (typeof name === "string" ? name : `(${typeof name})`);
}

/** The call as events tell of it. */
export function calledTool({ id: callId, resolved: { entry, spokenName } }: ResolvedCall): CalledTool {
  const { name: tool } = entry;
  return spokenName === tool ? { callId, tool } : { callId, tool, calledAs: spokenName };
}

export function toolOf(call: ResolvedCall): AnyTool {
  return call.resolved.entry.tool;
}
