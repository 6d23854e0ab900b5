import type { LoggedEvent, LoggedEventOf } from "../../../kernel/events/index.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import type { LiveLine } from "../terminal/live-line.ts";
import { type ChildEvent, type ChildrenDisplay, createChildrenDisplay } from "./children-display.ts";
import { describeCall } from "./describe-call.ts";
import { describeGivenNotes } from "./describe-given-notes.ts";
import { handleByType } from "./handle-by-type.ts";
import { createModelCalls, describeFirst, describeRetry } from "./model-calls.ts";
import { showWords } from "./show-words.ts";

export type RunDisplay = ReturnType<typeof createRunDisplay>;

type DisplayOutput = Omit<CommandOutput, "writeJson" | "writeJsonLines" | "failure">;

/** Shows an agent to a person: its text as it arrives, a line for each call, and its present work. */
export function createRunDisplay(
  output: DisplayOutput,
  { live, workspace }: { live: LiveLine; workspace: string },
) {
  const { styleMessage } = output;
  const printed = createPrintedText(output, live);
  const { tell, endLine } = printed;
  const calls = createModelCalls();
  const children = createChildrenDisplay(output, workspace);
  /** Ids of the calls that wait for a sub-agent. */
  const parentCalls = new Set<string>();
  let isInStep = false;
  const tellRunning = () => {
    const isWaiting = parentCalls.size > 0 || !isInStep;
    live.set(describeWork(describeFirst([...calls.running.values()]), children, { isWaiting }));
  };
  const tellDim = (text: string) => tell(styleMessage("dim", text));

  const tellNotes = async ({ notes }: LoggedEventOf<"agent-start" | "reminder-message">): Promise<void> => {
    for (const line of describeGivenNotes(notes)) await tellDim(line);
  };
  const showChild = async (event: ChildEvent): Promise<void> => {
    if (await printed.tellBetween(children.show(event))) tellRunning();
  };
  const show = handleByType<[], unknown>({
    "agent-start": tellNotes,
    "reminder-message": tellNotes,
    "step-start"() {
      isInStep = true;
      tellRunning();
    },
    "step-end"() {
      isInStep = false;
      // The agent itself is idle now and waits for its background agents.
      if (children.atWork > 0) tellRunning();
    },
    "text-delta": ({ text }) => printed.say("words", text),
    "reasoning-delta": ({ text }) => printed.say("thoughts", text),
    async "call-draft"({ toolName, characters }) {
      await endLine();
      live.set(`writing a call to ${escapeLine(toolName)} (${countOf(characters, "character")})`);
    },
    async "assistant-message"(event) {
      live.clear();
      await endLine();
      calls.note(event);
    },
    "call-start"(event) {
      if (calls.start(event, workspace) !== undefined) tellRunning();
    },
    async "call-end"(event) {
      if (!calls.end(event.callId)) return;
      parentCalls.delete(event.callId);
      if (!children.takeParentCall(event.callId))
        await tell(describeCall(event, { style: styleMessage, workspace }));
      tellRunning();
    },
    "subagent-start"(event) {
      // The agent's lines replace the line of the call that spawned it.
      if (calls.hide(event.callId)) parentCalls.add(event.callId);
      return showChild(event);
    },
    "subagent-event": showChild,
    "subagent-end": showChild,
    async "model-retry"(event) {
      live.set(undefined);
      await tell(styleMessage("yellow", escapeLine(describeRetry(event))));
      live.set("waiting to try again");
    },
    "context-compact": () => tellDim("a summary took the place of the conversation so far"),
    "context-trim": () => tellDim("older tool outputs were left out to save context"),
    async "agent-end"() {
      live.set(undefined);
      await endLine();
      isInStep = false;
      calls.clear();
      parentCalls.clear();
    },
  });
  return {
    /** Prints a message that is not part of the agent's work. */
    tell: tellDim,
    async show(event: LoggedEvent) {
      await show(event);
    },
  };
}

/** The model's text as it arrives, and messages between its lines. */
function createPrintedText({ style, isTerminal, ...output }: DisplayOutput, live: LiveLine) {
  /** Messages that are held back until the model's current line of text ends. */
  let held: string[] = [];
  let isLineOpen = false;
  let spoken: "words" | "thoughts" = "words";
  const endLine = async (): Promise<void> => {
    if (isLineOpen) await output.write("\n");
    isLineOpen = false;
    const lines = held;
    held = [];
    if (lines.length > 0) await output.tell(lines.join("\n"));
  };
  const tell = async (text: string): Promise<void> => {
    live.clear();
    await endLine();
    await output.tell(text);
  };
  return {
    endLine,
    tell,
    /** Does not break a line of text that is still open; returns whether the lines were printed. */
    async tellBetween(lines: readonly string[]): Promise<boolean> {
      if (isLineOpen) held.push(...lines);
      else if (lines.length > 0) await tell(lines.join("\n"));
      return !isLineOpen;
    },
    async say(kind: "words" | "thoughts", text: string): Promise<void> {
      live.set(undefined);
      // Without a terminal, only the final answer is printed, at the end.
      if (!isTerminal) return;
      if (spoken !== kind) await endLine();
      spoken = kind;
      const shown = showWords(text);
      await output.write(kind === "thoughts" ? style("dim", shown) : shown);
      isLineOpen = !text.endsWith("\n");
    },
  };
}

/** Describes the present work in a few words. */
function describeWork(
  calls: string | undefined,
  children: ChildrenDisplay,
  { isWaiting }: { isWaiting: boolean },
): string {
  const { atWork } = children;
  const others = `${countOf(atWork, "agent")} working`;
  if (atWork === 0) return calls ?? "thinking";
  if (calls !== undefined || !isWaiting) return `${calls ?? "thinking"} (${others})`;
  const activity = children.activity();
  return activity === undefined ? others : `${others}: ${activity}`;
}
