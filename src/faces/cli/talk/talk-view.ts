import type { LoggedEvent } from "../../../kernel/events/index.ts";
import type { ApprovalDecision, ApprovalHandler, ApprovalRequest } from "../../../kernel/people/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import type { QuestionHandler } from "../../../tool/services/question.ts";

/** The part that shows a conversation to the person, and escapes the text of others. */
export interface TalkView {
  show(event: LoggedEvent): void;
  /** Waits until more can be shown; undefined if it can at once. */
  whenReady(): Promise<void> | undefined;
  /** Ends the shown work: all events so far are of earlier work, which a process that died may have left without an end. */
  settle(): void;
  /** Shows a message of ours, which is not part of the conversation. */
  tell(text: string, tone?: "note" | "problem"): void;
  /** Shows Markdown, such as a help text. */
  tellMarkdown(text: string): void;
  /** Puts a text into the editor, for the person to change and send. */
  fillEditor(text: string): void;
  setStatus(status: TalkStatus): void;
  /** Lets the person choose one of some things; undefined if they choose none. */
  choose(title: string, choices: readonly TalkChoice[]): Promise<string | undefined>;
  /** Asks about a call of another session. Rejects if the person leaves without an answer, or the call waits no longer. */
  decide(
    request: ApprovalRequest,
    asking: { readonly name: string; readonly task?: string },
    signal: AbortSignal,
  ): Promise<ApprovalDecision>;
  /** Shows printable rows and asks for a yes or no; undefined if the person wants to decide later. */
  confirm(text: string, question: string): Promise<boolean | undefined>;
  readonly onApproval: ApprovalHandler;
  readonly onQuestion: QuestionHandler;
}

/** The parts of a conversation that other parts of it work with. */
export interface TalkParts {
  readonly runtime: Runtime;
  readonly view: TalkView;
  /** The session that the conversation is in now. */
  sessionNow(): Session;
  /** Shows that a part of the status is another now. */
  onChange(): void;
}

export interface TalkChoice {
  readonly value: string;
  readonly label: string;
  readonly about?: string;
}

/** The contents of the line at the bottom. */
export interface TalkStatus {
  readonly model: string;
  readonly mode: string;
  readonly isPlanning: boolean;
  readonly sandbox: string;
  readonly tokens: number;
  readonly cost: number | undefined;
  /** The part of the context window that is still free, from 0 to 1. */
  readonly contextLeft: number;
  readonly isWorking: boolean;
  readonly queued: number;
  /** Calls of other sessions that wait for a decision. */
  readonly waiting: number;
}
