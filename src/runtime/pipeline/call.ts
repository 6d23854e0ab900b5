import type { Deadline } from "../../shared/deadline.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Caller } from "../../tool/caller.ts";
import type { AnyTool } from "../../tool/define-tool.ts";
import type { PermissionRequest } from "../../tool/permission-request.ts";
import type { Agents } from "../../tool/services/agents.ts";
import type { Files } from "../../tool/services/files.ts";
import type { Processes } from "../../tool/services/processes.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import type { Search } from "../../tool/services/search.ts";
import type { Skills } from "../../tool/services/skills.ts";
import type { Tasks, Todos } from "../../tool/services/tasks.ts";
import type { ToolCatalogue } from "../../tool/services/tool-catalogue.ts";
import type { Logger, SessionView, Variables } from "../../tool/tool-context.ts";
import type { DialectView, ResolvedName } from "../dialects/dialect-view.ts";
import type { Receipt } from "../events/receipt.ts";
import type { CalledTool } from "../events/session-event.ts";
import type { ApprovalHandler, Approvals } from "../policy/approvals/approvals.ts";
import type { ScriptReading } from "../policy/commands/script-reading.ts";
import type { JudgedRequest, Mode } from "../policy/decide.ts";
import type { Rules } from "../policy/rules/rule.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { Delegation } from "../services/agents/delegation.ts";
import type { FileScope } from "../services/files/file-scope.ts";
import type { FileChange } from "../services/files/undo/file-change.ts";
import type { Bounds, ProcessUse } from "../services/processes/process-use.ts";
import type { SeenFile } from "../services/search/search.ts";
import type { Budget } from "../sessions/budget.ts";
import type { OpenCalls } from "../sessions/open-calls.ts";
import type { SessionLog } from "../sessions/session-log.ts";
import type { CallOutcome } from "./call-outcome.ts";
import type { HookChain } from "./hooks/hooks.ts";

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

/** Everything a call of one session meets on its way. Joined in `open-session.ts`. */
export interface CallEnvironment {
  readonly session: SessionView;
  readonly openCalls: OpenCalls;
  /** This process's time with the session; tells its calls from those of a process that is gone. */
  readonly run: string;
  readonly caller: Caller;
  readonly dialect: DialectView;
  readonly hooks: HookChain;
  readonly rules: Rules;
  readonly mode: Mode;
  readonly approvals: Approvals;
  readonly budget: Budget;
  readonly log: SessionLog;
  readonly redactor: Redactor;
  readonly variables: Variables;
  readonly taskVariables: Variables;
  readonly defaultTimeoutMs: number;
  /** Waits for a turn of the event loop when calls have kept it busy for long. */
  readonly breathe: (nowMs: number) => Promise<void> | undefined;
  judgePath(
    path: string,
    options: { action: "read" | "write"; followLast: boolean },
  ): Promise<Pick<JudgedRequest, "path" | "floor">>;
  /** What a script would do; absent where nothing can run one. */
  readScript?(script: string, directory: string | undefined): Promise<ScriptReading>;
  files(use: FileUse): Files;
  /** Absent where nothing can be run. */
  processes?(use: ProcessUse): Processes;
  /** Brings files back to what they were before the changes, or tells what stands against it. */
  revert(changes: readonly FileChange[], use: FileUse): Promise<readonly FileChange[]>;
  /** Keeps what it takes to undo a call, and gives the name to ask for it by; undefined where there is no room. */
  keepUndo(record: UndoRecord): Promise<string | undefined>;
  readUndo(name: string): Promise<UndoRecord | undefined>;
  /** This session's receipts of one call. */
  receipts(query: { callId: string }): Promise<readonly Receipt[]>;
  /** By call: the undo or redo that dealt with it last. */
  readonly turns: Variables;
  search(
    signal: AbortSignal,
    mayShow: (file: SeenFile) => boolean,
    admit: (canonical: string) => Promise<void>,
  ): Search;
  /** Absent where nothing keeps them. */
  readonly tasks?: Tasks;
  readonly todos?: Todos;
  /** The skills, loaded through these files; absent where there is nowhere to look for them. */
  skills?(files: Files): Skills;
  /** Absent where no agent can be sent off. */
  agents?(use: AgentUse): Agents;
  /** Absent where there is nothing to search. */
  readonly tools?: ToolCatalogue;
  /** Keeps a whole output on disk and tells where. */
  keepOutput(text: string): Promise<string>;
  /** Asks the person; absent when there is nobody. */
  readonly askPerson?: QuestionHandler;
}

/** How one call uses files. */
export interface FileUse {
  readonly signal: AbortSignal;
  /** Nothing is touched; changes are only planned. */
  readonly isPreview: boolean;
  readonly onChange: (change: FileChange) => void;
  /** Refuses, by throwing, what may not be touched, by where it really is. */
  readonly admit?: FileScope["admit"];
}

/** How one call sends off agents. */
export interface AgentUse extends Pick<CallRequest, "onApproval" | "onQuestion"> {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** The call's clock, which stands still while a person is waited for. */
  readonly clock: Pick<Deadline, "pause" | "resume">;
}

/** What it takes to undo a call. */
export interface UndoRecord {
  /** Canonical name of the tool. */
  readonly tool: string;
  readonly changes: readonly FileChange[];
  /** For a tool that undoes itself. */
  readonly own?: { readonly input: unknown; readonly output: unknown };
}

/** Where a script runs, and what it may touch there that other scripts may not. */
export type ScriptPlace = Pick<Bounds, "directory" | "readable" | "writable">;

/** A place among the calls that may run at once; given up while a person is waited for. */
export interface Slot {
  release(): void;
  acquire(): Promise<void>;
}

/** A call on its way: what is known of it so far. The receipt is made from this. */
export interface Call {
  readonly id: string;
  readonly request: CallRequest;
  readonly environment: CallEnvironment;
  readonly caller: Caller;
  readonly deadline: Deadline;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly startedClockMs: number;
  readonly slot: Slot | undefined;
  resolved?: ResolvedName;
  /** Canonical and valid. */
  input?: unknown;
  /** What the tool said it would touch. */
  declared?: readonly PermissionRequest[];
  verdict?: Verdict;
  /** A person was asked and let it go on. */
  isApproved?: boolean;
  /** Canonical paths that were decided on. */
  admitted?: Readonly<Record<"read" | "write", Set<string>>>;
  /** By command and directory: where a script that was decided on is to run. */
  scripts?: Map<string, ScriptPlace>;
  /** In which bounds the last command was started. */
  sandbox?: string;
  /** Whether what is about to happen is on record; unset while nothing is about to. */
  start?: "recorded" | "unrecorded";
  recorded?: RecordedInput;
  /** Every change to a file, in order. */
  changes?: FileChange[];
  /** Changes to files that are being made. */
  underway?: Set<Promise<unknown>>;
  /** To agents that it has sent off. */
  delegation?: Delegation;
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
