import type { CommandOutcome, RunOptions } from "../../../tool/services/processes.ts";
import type { QuestionHandler } from "../../../tool/services/question.ts";
import type { CallHost } from "../../call/index.ts";
import type { DialectView } from "../../dialects/index.ts";
import type { Noted } from "../../events/index.ts";
import type { OpenQuestions, QuestionRequest } from "../../people/index.ts";
import type { Gate } from "../../policy/index.ts";
import type { RegisteredTool } from "../../registry/index.ts";
import type { BackgroundSource } from "../../services/index.ts";
import type { AgentTurn, InboxHandler, SessionKept, SessionLog, SessionRun } from "../../session/index.ts";
import type { SessionTools, ToolAccess, ToolAllowance, ToolFilter } from "../../tool-search/index.ts";
import type { OpenRuntime } from "../opening.ts";
import type { ParentSession } from "../parent-session.ts";
import type { SessionOptions } from "../session.ts";

/** A session that is being opened, as capabilities see it: with all of its runtime. */
export interface OpeningSession extends OpenRuntime, SharedWithChildren {
  readonly id: string;
  readonly taskId: string;
  readonly dialect: string;
  /** The options it was opened with. */
  readonly given: SessionOptions;
  readonly parent: ParentSession | undefined;
  readonly run: SessionRun;
  readonly log: SessionLog;
  /** Opens one kind of state that the session keeps for later processes. */
  readonly kept: SessionKept;
  readonly questions: SessionQuestions;
  readonly tools: OfferedTools;
  /** Work in the background, of the capabilities that were opened before. */
  readonly background: readonly BackgroundSource[];
  /** Undefined if no capability that was opened before runs commands. */
  readonly shell: SessionShell | undefined;
}

/** The parts that sessions of sub-agents get from the session that spawned them. */
export type SharedWithChildren = Pick<
  ParentSession,
  "budget" | "approvals" | "grants" | "proposals" | "taint" | "mode"
>;

export interface SessionQuestions {
  readonly queue: OpenQuestions;
  /** Asks the person; absent if no person can be asked here. */
  readonly onQuestion: QuestionHandler | undefined;
  /** Called when a question begins to wait for a person. */
  onWaiting(request: QuestionRequest): void;
}

/** The tools of a session, and how its models are offered them. */
export interface OfferedTools {
  readonly view: DialectView;
  /** The tools as a caller sees them that may use only some. */
  readonly limitTools: (allows: ToolFilter) => ToolAccess;
  /** The only tools of the session. */
  readonly allows: ToolFilter | undefined;
  readonly allowance: ToolAllowance;
  /** Why no call of a tool could pass; undefined if a call could. */
  whyDenied(entry: RegisteredTool): string | undefined;
  readonly choice: SessionTools;
}

/** A session that is open. */
export interface RunningSession {
  readonly host: CallHost;
  readonly turn: AgentTurn;
  readonly agenda: SessionAgenda;
  /** Takes the messages of other processes that are for its agent. */
  onMessage(handler: InboxHandler<"message">): () => void;
}

/** Open work in a session, in words for a model. */
export interface SessionAgenda {
  /** The open tasks, and the work in the background that goes on; undefined if there is none. */
  openWork(): Promise<string | undefined>;
  /** The open tasks, if the model may have lost sight of them and was not reminded yet. */
  takeReminder(): string | undefined;
}

export interface SessionShell {
  /** The absolute directory for a command's `directory` option, or for none. */
  locate(directory: string | undefined): Promise<string>;
  environment(): Promise<Readonly<Record<string, string>>>;
  /** Runs a command that the user's options name, without asking a person. */
  runConfigured(
    use: {
      readonly gate: Pick<Gate, "run">;
      readonly signal: AbortSignal;
      readonly noted: Noted;
    },
    command: string,
    options: RunOptions,
  ): Promise<CommandOutcome>;
}
