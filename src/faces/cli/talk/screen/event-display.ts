import { progressText } from "../../../../kernel/events/progress-text.ts";
import type { LoggedEvent, LoggedEventOf } from "../../../../kernel/events/session-event.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeControls, escapeLine } from "../../../../shared/text/escape-controls.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { createChildrenDisplay } from "../../display/children-display.ts";
import { describeCallInLine, describeStart } from "../../display/describe-call.ts";
import { describeGivenNotes } from "../../display/describe-given-notes.ts";
import { formatDuration } from "../../display/format-time.ts";
import { showWords } from "../../display/show-words.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import { withoutPlanNote } from "../plan-note.ts";
import type { TalkView } from "../talk-view.ts";
import { type DiffWords, formatDiffWords } from "./diff-words.ts";
import type { ShownConversation } from "./shown-conversation.ts";
import type { StreamedSpeech } from "./streamed-speech.ts";
import type { WorkLine } from "./work-line.ts";

/** Shows the events of a session: messages, a line for each call, sub-agents as a tree. */
export interface EventDisplay {
  show(event: LoggedEvent): void;
  /** Nothing of what was shown goes on. */
  settle(): void;
  readonly details: CallDetails;
}

export interface EventDisplayParts {
  readonly conversation: ShownConversation;
  readonly speech: StreamedSpeech;
  readonly work: WorkLine;
  readonly style: CommandOutput["style"];
  readonly tell: TalkView["tell"];
  readonly workspace: string;
  columns(): number;
  /** Undefined: whole lines are coloured. */
  diffWords(): DiffWords | undefined;
}

export function createEventDisplay({
  conversation,
  speech,
  work,
  style,
  tell,
  workspace,
  columns,
  diffWords,
}: EventDisplayParts): EventDisplay {
  const children = createChildrenDisplay({ styleMessage: style, messageColumns: columns }, workspace);
  const details = createCallDetails(style);
  /** Calls that the model made, and not another caller of the session. */
  const own = new Set<string>();
  const running = new Map<string, string>();
  /** The latest line that a call at work has printed; its result has all of them. */
  const printed = new Map<string, string>();
  /** Notes about the model's files that this session has shown already. */
  const given = new Set<string>();
  let givenIn: string | undefined;

  let isAtWork = false;

  const showRunning = (): void => {
    isAtWork = true;
    const texts = [...running].map(([callId, text]) => {
      const line = printed.get(callId);
      return line === undefined ? text : `${text} → ${line}`;
    });
    const [first = children.activity() ?? "thinking", ...more] = texts;
    const calls = more.length > 0 ? `${first} and ${more.length} more` : first;
    work.show(children.atWork > 0 ? `${calls} (${countOf(children.atWork, "agent")} at work)` : calls);
  };
  const showMessage = ({ text, images }: LoggedEventOf<"user-message">): void => {
    const said = withoutPlanNote(text);
    conversation.addBreak();
    conversation.addLines(showWords(said).split("\n"), { first: `${style("cyan", "❯")} `, indent: "  " });
    conversation.addLines([
      ...(said === text ? [] : [style("dim", "  (in plan mode)")]),
      ...(images ? [style("dim", `  (with ${countOf(images.length, "image")})`)] : []),
      "",
    ]);
  };
  /** Once for as long as they stay the same: the model is given them with every run. */
  const tellGiven = ({ sessionId, notes }: LoggedEventOf<"agent-start" | "reminder-message">): void => {
    const lines = describeGivenNotes(notes).filter((line) => !given.has(line) || givenIn !== sessionId);
    if (givenIn !== sessionId) given.clear();
    givenIn = sessionId;
    for (const line of lines) {
      given.add(line);
      tell(line);
    }
  };
  const showCall = (event: LoggedEventOf<"call-end">): void => {
    const { receipt, text, error } = event;
    details.note(event);
    const hasDiff = error === undefined && receipt.effects.writes.length > 0;
    conversation.addLines([
      describeCallInLine(event, { style, workspace, maxColumns: columns() }),
      ...(hasDiff ? formatDiffWords(text, style, diffWords()) : []),
    ]);
  };
  const endWork = (): void => {
    isAtWork = false;
    speech.end();
    running.clear();
    printed.clear();
    own.clear();
    work.show(undefined);
  };
  const showPrinted = ({ callId, update }: LoggedEventOf<"call-progress">): void => {
    const line = progressText(update)?.trimEnd().split("\n").at(-1)?.trim() ?? "";
    if (line === "" || !running.has(callId)) return;
    printed.set(callId, oneLine(escapeLine(line), maxPrinted));
    showRunning();
  };
  const show = (event: LoggedEvent): void => {
    switch (event.type) {
      case "user-message":
        speech.end();
        showMessage(event);
        break;
      case "reminder-message":
        tellGiven(event);
        break;
      case "agent-start":
        tellGiven(event);
        showRunning();
        break;
      case "step-start":
        showRunning();
        break;
      case "text-delta":
        speech.say("words", event.text);
        break;
      case "reasoning-delta":
        speech.say("thoughts", event.text);
        break;
      case "call-draft":
        work.show(`writing a call to ${escapeLine(event.toolName)} (${event.characters} characters)`);
        break;
      case "assistant-message":
        speech.end();
        for (const part of event.content) if (part.type === "tool-call") own.add(part.callId);
        break;
      case "call-start":
        if (!own.has(event.callId)) break;
        running.set(event.callId, describeStart(event, workspace));
        showRunning();
        break;
      case "call-progress":
        showPrinted(event);
        break;
      case "call-end":
        if (!own.delete(event.callId)) break;
        running.delete(event.callId);
        printed.delete(event.callId);
        if (!children.takeParentCall(event.callId)) showCall(event);
        showRunning();
        break;
      case "subagent-start":
      case "subagent-event":
      case "subagent-end":
        conversation.addLines(children.show(event));
        // Those in the background go on when the agent has ended.
        if (isAtWork) showRunning();
        break;
      case "model-retry":
        tell(`${event.reason}; trying again in ${formatDuration(event.delayMs)}`, "problem");
        break;
      case "conversation-rewind":
        tell("the conversation went back; what came after that message is only in the log");
        break;
      case "context-compact":
        tell("a summary took the place of what was said so far; the log keeps all of it");
        break;
      case "context-trim":
        tell("older tool outputs were left out to save context");
        break;
      case "agent-end":
        endWork();
        break;
    }
  };
  return {
    show,
    settle() {
      children.clear();
      endWork();
    },
    details,
  };
}

const maxPrinted = 60;

/** The latest calls in full: each has only a line on the screen. */
interface CallDetails {
  note(event: LoggedEventOf<"call-end">): void;
  /** The lines of the latest call; asked again, of the one before it. Empty if there is none. */
  next(): readonly string[];
}

function createCallDetails(style: CommandOutput["style"]): CallDetails {
  const recent: LoggedEventOf<"call-end">[] = [];
  let shown = 0;
  return {
    note(event) {
      recent.push(event);
      if (recent.length > maxRecent) recent.shift();
      shown = 0;
    },
    next() {
      const event = recent.at(-1 - shown);
      if (event === undefined) return [];
      shown += 1;
      const lines = describe(event, style);
      const rest = lines.length - maxLines;
      return [
        ...lines.slice(0, maxLines).map((line) => style("dim", line)),
        ...(rest > 0 ? [style("dim", `… and ${rest} more lines; toolwright log has them`)] : []),
        "",
      ];
    },
  };
}

const maxRecent = 50;
const maxLines = 200;

function describe(
  { receipt, text, error }: LoggedEventOf<"call-end">,
  style: CommandOutput["style"],
): string[] {
  return [
    style("bold", escapeLine(receipt.calledAs ?? receipt.tool)),
    ...escapeControls(JSON.stringify(receipt.input, null, 2) ?? "").split("\n"),
    ...escapeControls(error?.message ?? text).split("\n"),
  ];
}
