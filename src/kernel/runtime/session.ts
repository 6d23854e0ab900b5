import { foreign, knownKeys, type ObjectShape, value } from "../../shared/options/known-keys.ts";
import type { BuiltinCalls } from "../../tool/builtin-calls.ts";
import { type Caller, callerKeys } from "../../tool/caller.ts";
import type { Variables } from "../../tool/tool-context.ts";
import type { CallRequest, CallResult } from "../call/index.ts";
import type { DialectDefinition } from "../dialects/index.ts";
import type { CallStatus, LoggedEvent } from "../events/index.ts";
import type { ApprovalQueue, QuestionQueue } from "../people/index.ts";
import type { Mode, Verdict } from "../policy/index.ts";
import {
  type BudgetLimits,
  budgetOption,
  type EventQuery,
  type SessionBudget,
  type SessionTaint,
} from "../session/index.ts";
import type { ToolChoice } from "../tool-search/index.ts";
import type { SessionConversation } from "./session/session-rewind.ts";

/**
 * One conversation with the tools. Its log, variables and tasks outlive the process. Capabilities add their own members,
 * each in its room (`declare module`).
 */
export interface Session extends KernelSession {}

/** The members of a session that no capability brings. */
export interface KernelSession extends SessionCalls, SessionHistory, ToolChoice {
  readonly id: string;
  /** True if a session with this id existed before. */
  readonly resumed: boolean;
  /** The name of its dialect. */
  readonly dialect: string;
  /** What may run without asking; never more than policy files and the parent of a sub-agent allow. */
  readonly mode: Mode;
  /** Changes the mode from the next call on, also for its sub-agents. Resolves to the mode that now holds. */
  setMode(mode: Mode, details?: { readonly by?: string }): Promise<Mode>;
  readonly variables: Variables;
  /** Variables shared by all sessions with the same `taskId`. */
  readonly taskVariables: Variables;
  readonly budget: SessionBudget;
  readonly approvals: ApprovalQueue;
  /** The questions of its tools that wait for an answer. Only a person's program should answer them. */
  readonly questions: QuestionQueue;
  /** The untrusted content that it has read. Only a person's program should clear it. */
  readonly taint: Pick<SessionTaint, "list" | "clear">;
  /** Whether there are hooks, which may change results or answer in a tool's place. */
  readonly hasHooks: boolean;
  /** Cancels running calls, waits for them, and ends the event streams. */
  close(): Promise<void>;
  /** Resolves when the session has closed. */
  readonly closed: Promise<void>;
  /** False as soon as closing begins. */
  readonly isOpen: boolean;
}

/** The calls of a session. */
export interface SessionCalls {
  /**
   * Calls a tool. Never rejects: a failure is in the result. For a built-in tool, TypeScript knows the input and the
   * data of the result; the input of any other tool, and of a name in a variable of type `string`, can be anything.
   */
  call<Name extends ToolName>(name: Name, ...rest: CallArguments<Name>): Promise<ResultOf<Name>>;
  /** Calls several tools, in parallel where they are concurrency-safe. Results are in the order of the calls. */
  callAll(calls: readonly CallRequest[]): Promise<CallResult[]>;
  /** The verdict a call would get, without running it. Rejects for an unknown tool or invalid input. */
  explain<Name extends ToolName>(name: Name, ...input: InputArgument<Name>): Promise<Verdict>;
  /** Previews what a call would change, as a diff for files, without changing anything. */
  dryRun<Name extends ToolName>(name: Name, ...rest: CallArguments<Name>): Promise<CallResult>;
  /** Undoes a call's changes. Fails if they were changed again since. */
  undo(callId: string, options?: UndoOptions): Promise<CallResult>;
  /** Makes an undone call's changes again. */
  redo(callId: string, options?: UndoOptions): Promise<CallResult>;
}

/** The past of a session, and the ways to go back in it. */
export interface SessionHistory extends SessionConversation {
  /** Sequence number of the last event so far, for `events({ since })`. */
  bookmark(): Promise<number>;
  /** The events of the conversation as it stands now: without rewound events, and with those from before a fork. */
  conversation(): AsyncGenerator<LoggedEvent, void, void>;
  /** Past events since a bookmark, then new ones as they happen, until the session closes. */
  events(query?: EventQuery): AsyncGenerator<LoggedEvent, void, void>;
}

export interface SessionOptions {
  /** Resumes the session with this id if it exists. Default: a new id. */
  readonly id?: string;
  /**
   * Begins a new session with the conversation of another, up to a message of it or as it stands. Files stay as they are.
   */
  readonly fork?: SessionFork;
  /** Sessions with the same task id share `taskVariables`. */
  readonly taskId?: string;
  readonly caller?: Caller;
  readonly mode?: Mode;
  /**
   * The only tools that are offered and run here, also by sub-agents: names of any dialect, and patterns such as
   * `mcp__github__*`. Holds until the session is closed. Default: all tools.
   */
  readonly tools?: readonly string[];
  /**
   * The tools' names and parameters, like the runtime's option of that name. Default: a resumed session's own, and the
   * runtime's for a new one.
   */
  readonly dialect?: string | DialectDefinition;
  /** The name of the model that will call the tools, from which `dialect: "auto"` chooses. */
  readonly model?: string;
  readonly budget?: BudgetLimits;
  /** Earlier spending of the session does not count against its budget. Default: it does. */
  readonly freshBudget?: boolean;
  /** Emits `file-change` when something else changes a file that the session has read. */
  readonly watchFiles?: boolean;
  /** After this many calls without a change to the todo list, reminds the agent of open ones. Default: 10; 0 is never. */
  readonly remindEveryCalls?: number;
}

export type NamedSessionOptions = SessionOptions & { readonly id: string };

/** Where a session begins that is forked from another. */
export interface SessionFork {
  readonly from: string;
  /** Sequence number of the first message that is left out. Default: none is. */
  readonly before?: number;
}

export const sessionKeys = knownKeys<SessionOptions>({
  id: value,
  fork: knownKeys<SessionFork>({ from: value, before: value }),
  taskId: value,
  caller: callerKeys,
  mode: value,
  tools: value,
  // Checked where it is used.
  dialect: foreign,
  model: value,
  // The schema of the option names exactly these.
  budget: budgetOption.keys as ObjectShape<keyof BudgetLimits>,
  freshBudget: value,
  watchFiles: value,
  remindEveryCalls: value,
});

export type CallOptions = Pick<
  CallRequest,
  "id" | "signal" | "timeoutMs" | "onProgress" | "onLog" | "caller" | "onApproval" | "onQuestion"
>;

/** Any tool's name; editors suggest the built-in ones. */
export type ToolName = keyof BuiltinCalls | (string & {});

/** The input, which may be left out where nothing in it is required. */
export type InputArgument<Name extends ToolName> = [Name] extends [keyof BuiltinCalls]
  ? Record<string, never> extends BuiltinCalls[Name]["input"]
    ? [input?: BuiltinCalls[Name]["input"]]
    : [input: BuiltinCalls[Name]["input"]]
  : [input?: unknown];

/** What `call` takes after the tool's name. */
export type CallArguments<Name extends ToolName> = [...InputArgument<Name>, options?: CallOptions];

/** The result of a call. With the status `done`, a built-in tool's has its data. */
export type ResultOf<Name extends ToolName> = Name extends keyof BuiltinCalls
  ? CallResult &
      (
        | { readonly status: "done"; readonly data: BuiltinCalls[Name]["output"] }
        | { readonly status: Exclude<CallStatus, "done"> }
      )
  : CallResult;

export type UndoOptions = Pick<CallRequest, "id" | "signal" | "caller">;
