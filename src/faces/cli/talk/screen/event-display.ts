import { type LoggedEventOf, progressText } from "../../../../kernel/events/index.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { escapeControls, escapeLine } from "../../../../shared/text/escape-controls.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import {
  type ChildEvent,
  type ChildrenDisplay,
  createChildrenDisplay,
} from "../../display/children-display.ts";
import { describeCallInLine } from "../../display/describe-call.ts";
import { describeGivenNotes } from "../../display/describe-given-notes.ts";
import { handleByType } from "../../display/handle-by-type.ts";
import { createModelCalls, describeFirst, describeRetry } from "../../display/model-calls.ts";
import { showWords } from "../../display/show-words.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import { withoutPlanNote } from "../plan-note.ts";
import type { TalkView } from "../talk-view.ts";
import { type DiffWords, formatDiffWords } from "./diff-words.ts";
import type { ShownConversation } from "./shown-conversation.ts";
import type { StreamedSpeech } from "./streamed-speech.ts";
import type { WorkLine } from "./work-line.ts";

export interface EventDisplayParts {
  readonly conversation: ShownConversation;
  readonly speech: StreamedSpeech;
  readonly work: WorkLine;
  readonly style: CommandOutput["style"];
  readonly tell: TalkView["tell"];
  readonly workspace: string;
  columns(): number;
  /** Compares words; undefined if whole lines are to be coloured. */
  diffWords(): DiffWords | undefined;
}

/** Shows the events of a session: messages, a line for each call, sub-agents as a tree. */
export function createEventDisplay(parts: EventDisplayParts) {
  const { conversation, speech, work, style, tell, workspace, columns, diffWords } = parts;
  const children = createChildrenDisplay({ styleMessage: style, messageColumns: columns }, workspace);
  const details = createCallDetails(style);
  const activity = createActivity(work, children);
  const tellGiven = tellingGivenNotes(tell);
  const showMessage = ({ text, images }: LoggedEventOf<"user-message">): void => {
    const said = withoutPlanNote(text);
    conversation.addBreak();
    conversation.addLines(showWords(said).split("\n"), { first: `${style("cyan", "❯")} `, indent: "  " });
    const notes = [said !== text && "in plan mode", images && `with ${countOf(images.length, "image")}`];
    conversation.addLines([
      ...notes.filter((note) => typeof note === "string").map((note) => style("dim", `  (${note})`)),
      "",
    ]);
  };
  const showCall = (event: LoggedEventOf<"call-end">): void => {
    const { receipt, text, error } = event;
    details.note(event);
    const lines = [describeCallInLine(event, { style, workspace, maxColumns: columns() })];
    if (error === undefined && receipt.effects.writes.length > 0)
      lines.push(...formatDiffWords(text, style, diffWords()));
    conversation.addLines(lines);
  };
  const showChild = (event: ChildEvent): void => {
    conversation.addLines(children.show(event));
    activity.showAgain();
  };
  const endWork = (): void => {
    speech.end();
    activity.end();
  };
  return {
    show: handleByType<[], unknown>({
      "user-message"(event) {
        speech.end();
        showMessage(event);
      },
      "reminder-message": tellGiven,
      "agent-start"(event) {
        tellGiven(event);
        activity.show();
      },
      "step-start": activity.show,
      "text-delta": ({ text }) => speech.say("words", text),
      "reasoning-delta": ({ text }) => speech.say("thoughts", text),
      "call-draft": ({ toolName, characters }) =>
        work.show(`writing a call to ${escapeLine(toolName)} (${characters} characters)`),
      "assistant-message"(event) {
        speech.end();
        activity.calls.note(event);
      },
      "call-start"(event) {
        if (activity.calls.start(event, workspace) !== undefined) activity.show();
      },
      "call-progress": activity.notePrinted,
      "call-end"(event) {
        if (!activity.calls.end(event.callId)) return;
        if (!children.takeParentCall(event.callId)) showCall(event);
        activity.show();
      },
      "subagent-start": showChild,
      "subagent-event": showChild,
      "subagent-end": showChild,
      "model-retry": (event) => tell(describeRetry(event), "problem"),
      "conversation-rewind": () =>
        tell("the conversation went back; what came after that message is only in the log"),
      "context-compact": () =>
        tell("a summary took the place of the conversation so far; the log keeps all of it"),
      "context-trim": () => tell("older tool outputs were left out to save context"),
      "agent-end": endWork,
    }),
    /** Ends the shown work: none of it goes on. */
    settle() {
      children.clear();
      endWork();
    },
    details,
  };
}

/** The agent's present work: the calls of its model with the latest line that each has printed, and its sub-agents. */
function createActivity(work: WorkLine, children: ChildrenDisplay) {
  const calls = createModelCalls();
  /** The latest line that a call at work has printed; its result has all of them. */
  const printed = new Map<string, string>();
  let isAtWork = false;
  const show = (): void => {
    isAtWork = true;
    const texts = [...calls.running].map(([callId, text]) => {
      const line = printed.get(callId);
      return line === undefined ? text : `${text} → ${line}`;
    });
    const now = describeFirst(texts) ?? children.activity() ?? "thinking";
    work.show(children.atWork > 0 ? `${now} (${countOf(children.atWork, "agent")} at work)` : now);
  };
  return {
    calls,
    show,
    /** Sub-agents in the background go on when the agent has ended. */
    showAgain() {
      if (isAtWork) show();
    },
    notePrinted({ callId, update }: LoggedEventOf<"call-progress">) {
      const line = progressText(update)?.trimEnd().split("\n").at(-1)?.trim() ?? "";
      if (line === "" || !calls.running.has(callId)) return;
      printed.set(callId, oneLine(escapeLine(line), maxPrinted));
      show();
    },
    end() {
      isAtWork = false;
      calls.clear();
      printed.clear();
      work.show(undefined);
    },
  };
}

const maxPrinted = 60;

/** Tells which notes the model is given, once for as long as they stay the same: it gets them with every run. */
function tellingGivenNotes(tell: TalkView["tell"]) {
  const given = new Set<string>();
  let givenIn: string | undefined;
  return ({ sessionId, notes }: LoggedEventOf<"agent-start" | "reminder-message">): void => {
    const lines = describeGivenNotes(notes).filter((line) => !given.has(line) || givenIn !== sessionId);
    if (givenIn !== sessionId) given.clear();
    givenIn = sessionId;
    for (const line of lines) {
      given.add(line);
      tell(line);
    }
  };
}

/** Keeps the latest calls in full: each has only a line on the screen. */
function createCallDetails(style: CommandOutput["style"]) {
  const recent: LoggedEventOf<"call-end">[] = [];
  let shown = 0;
  return {
    note(event: LoggedEventOf<"call-end">) {
      recent.push(event);
      if (recent.length > maxRecent) recent.shift();
      shown = 0;
    },
    /** The lines of the latest call; the next time, of the one before it. Empty if there is none. */
    next(): readonly string[] {
      const event = recent.at(-1 - shown);
      if (event === undefined) return [];
      shown += 1;
      const lines = describe(event, style);
      const rest = lines.splice(maxLines).length;
      if (rest > 0) lines.push(`… and ${rest} more lines; toolwright log has them`);
      return [...lines.map((line) => style("dim", line)), ""];
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
