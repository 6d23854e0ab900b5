import type { Caller } from "../../tool/caller.ts";
import type { AgentMode, AgentReport, StartedAgent } from "../../tool/services/agents.ts";
import type { Job } from "../../tool/services/processes.ts";
import type { Answer, Question } from "../../tool/services/question.ts";
import type { Task } from "../../tool/services/tasks.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import type { Mode, TaintSource, Verdict } from "../policy/index.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { ReceiptBody } from "./receipt.ts";

/** What an event is about: `progress` of calls, `control` for what waits for a person, `monitor` for everything else. */
export const channels = ["progress", "control", "monitor"] as const;
export type Channel = (typeof channels)[number];

/** Which call an event is about. */
export interface CalledTool {
  readonly callId: string;
  readonly tool: string;
  /** The name that the caller used, if it was another one. */
  readonly calledAs?: string;
  /** For a made tool and a server's tool: a hash of the version that was approved. */
  readonly toolVersion?: string;
}

/** Why a call is told to stop: its time is up, or it was cancelled. */
export type StopCode = "timed-out" | "cancelled";

/** The end of a call: its receipt, and the result's text and error. */
export interface CallEndEvent {
  readonly type: "call-end";
  readonly callId: string;
  readonly receipt: ReceiptBody;
  readonly text: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** Everything that can happen in a session. A closed list, so that a reader can handle every case. */
export type SessionEvent =
  | AgentEvent
  | { readonly type: "session-open"; readonly resumed: boolean; readonly workspace: string }
  | { readonly type: "session-close" }
  /** A person has changed what may run without asking. */
  | { readonly type: "mode-change"; readonly mode: Mode; readonly changedBy: string }
  /** Stands where an event is that cannot be read; it is never written. */
  | { readonly type: "log-damage"; readonly reason: string }
  | ({
      readonly type: "call-start";
      readonly input: unknown;
      readonly inputHash: string;
      readonly caller: Caller;
      /** Id of the process's run of the session. */
      readonly run: string;
    } & CalledTool)
  | ({ readonly type: "call-progress"; readonly update: unknown } & CalledTool)
  /** A call that runs is told to stop; its end follows, unless its process dies first. */
  | ({ readonly type: "call-stop"; readonly code: StopCode } & CalledTool)
  | CallEndEvent
  | ({
      readonly type: "approval-request";
      readonly approvalId: string;
      readonly input: unknown;
      readonly reason: string;
      /** Why it needs approval, and what paths, commands and hosts it would touch. Absent in logs of older versions. */
      readonly verdict?: Verdict;
      /** A diff of the changes it would make; a long one is cut. Absent unless it would only write files. */
      readonly preview?: string;
      /** As for the start of a call. Absent in logs of older versions. */
      readonly inputHash?: string;
      readonly caller?: Caller;
      readonly run?: string;
    } & CalledTool)
  | {
      readonly type: "approval-decision";
      readonly callId: string;
      readonly approvalId: string;
      readonly decision: "allow" | "deny" | "withdrawn";
      readonly decidedBy: string;
      readonly note?: string;
      /** It holds for longer than this call, by these rules. */
      readonly lasts?: "session" | "always";
      readonly rules?: readonly string[];
      /** It also ended the run. */
      readonly stop?: boolean;
    }
  /** The sandbox of the session's commands, recorded before the first of them. */
  | { readonly type: "sandbox"; readonly kind: string; readonly reason?: string }
  | { readonly type: "job-start" | "job-end" | "job-wait"; readonly job: Job }
  /** Content that may be written to steer a model has entered the session; `taint-clear`: a person vouches for it. */
  | { readonly type: "taint-add"; readonly source: TaintSource; readonly callId?: string }
  | { readonly type: "taint-clear"; readonly clearedBy: string }
  /** At least four fifths of a limit are used: of the session's budget, or of that of an agent's work on one message. */
  | {
      readonly type: "budget-warn";
      readonly of: "session" | "run";
      readonly what: "calls" | "tools" | "wallTimeMs" | "outputBytes" | "tokens" | "cost";
      /** For `tools`: which one. */
      readonly toolName?: string;
      readonly limit: number;
      readonly used: number;
    }
  | { readonly type: "file-change"; readonly path: string; readonly kind: "changed" | "deleted" }
  | { readonly type: "todo-change"; readonly changed: readonly Task[]; readonly removed: readonly string[] }
  | { readonly type: "todo-reminder"; readonly text: string; readonly open: number }
  | SubAgentEvent
  | ({ readonly type: "question-ask"; readonly callId: string } & Question)
  | {
      readonly type: "question-answer";
      readonly callId: string;
      readonly answer: Answer;
      /** Absent if it was answered where it was asked. */
      readonly answeredBy?: string;
    }
  | { readonly type: "question-fail"; readonly callId: string; readonly reason: string }
  | ({ readonly type: "custom"; readonly eventType: string; readonly data?: unknown } & CalledTool)
  | ({
      readonly type: "log";
      readonly level: "debug" | "info" | "warn" | "error";
      readonly message: string;
      readonly data?: unknown;
    } & CalledTool);

/** Events of sub-agents spawned from this session; the logs of the sub-agents' sessions have them too. */
export type SubAgentEvent =
  | ({
      readonly type: "subagent-start";
      readonly subagentId: string;
      /** The call that spawned it. */
      readonly callId: string;
      readonly mode: AgentMode;
      readonly kind?: string;
    } & SubAgentEventFields<StartedAgent>)
  | { readonly type: "subagent-event"; readonly subagentId: string; readonly event: LoggedEvent }
  | ({
      readonly type: "subagent-end";
      readonly subagentId: string;
      readonly durationMs: number;
    } & SubAgentEventFields<AgentReport>);

/** An event's `sessionId` is the session whose log it is in, not the sub-agent's own. */
export type SubAgentEventFields<Known extends StartedAgent> = Omit<Known, "id" | "sessionId"> & {
  readonly childSessionId: string;
};

/** An event as the log holds it. */
export type LoggedEvent = SessionEvent & {
  readonly sessionId: string;
  /** Counted from 1 without gaps; the bookmark to resume from. */
  readonly sequence: number;
  /** ISO 8601. */
  readonly at: string;
  readonly channel: Channel;
};

export type LoggedEventOf<Type extends LoggedEvent["type"]> = Extract<LoggedEvent, { type: Type }>;

/** The channel of each event; a sub-agent's event has the channel that it had there. */
export const channelByType: Record<Exclude<SessionEvent["type"], "subagent-event">, Channel> = {
  "session-open": "monitor",
  "session-close": "monitor",
  "mode-change": "monitor",
  "log-damage": "monitor",
  "call-start": "progress",
  "call-progress": "progress",
  "call-stop": "progress",
  "call-end": "progress",
  "approval-request": "control",
  "approval-decision": "control",
  "question-ask": "control",
  "question-answer": "control",
  "question-fail": "control",
  sandbox: "monitor",
  "job-start": "monitor",
  "job-end": "monitor",
  "job-wait": "monitor",
  "taint-add": "monitor",
  "taint-clear": "monitor",
  "budget-warn": "monitor",
  "file-change": "monitor",
  "todo-change": "monitor",
  "todo-reminder": "monitor",
  custom: "monitor",
  log: "monitor",
  "subagent-start": "progress",
  "subagent-end": "progress",
  "agent-start": "monitor",
  "user-message": "progress",
  "conversation-rewind": "progress",
  "conversation-fork": "progress",
  "reminder-message": "monitor",
  "step-start": "monitor",
  "text-delta": "progress",
  "reasoning-delta": "progress",
  "call-draft": "progress",
  "model-retry": "monitor",
  "assistant-message": "progress",
  "step-end": "monitor",
  "images-show": "monitor",
  "images-hide": "monitor",
  "context-trim": "monitor",
  "context-compact": "monitor",
  "agent-end": "progress",
};

export const eventNames: readonly SessionEvent["type"][] = [
  ...(Object.keys(channelByType) as (keyof typeof channelByType)[]),
  "subagent-event",
];
