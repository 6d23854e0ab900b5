import type { LoggedEvent } from "../../../kernel/events/index.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import type { LiveLine } from "../terminal/live-line.ts";
import { type ChildrenDisplay, createChildrenDisplay } from "./children-display.ts";
import { describeCall } from "./describe-call.ts";
import { describeGivenNotes } from "./describe-given-notes.ts";
import { createModelCalls, describeFirst, describeRetry } from "./model-calls.ts";
import { showWords } from "./show-words.ts";

/** Shows an agent to a person: its text as it arrives, a line for each call, and its present work. */
export interface RunDisplay {
  show(event: LoggedEvent): Promise<void>;
  /** Prints a message that is not part of the agent's work. */
  tell(text: string): Promise<void>;
}

type DisplayOutput = Omit<CommandOutput, "writeJson" | "writeJsonLines" | "failure">;

export function createRunDisplay(
  output: DisplayOutput,
  { live, workspace }: { live: LiveLine; workspace: string },
): RunDisplay {
  const { styleMessage } = output;
  const printed = createPrintedText(output, live);
  const { tell, endLine } = printed;
  const calls = createModelCalls();
  const children = createChildrenDisplay(output, workspace);
  /** Ids of the calls that wait for a sub-agent. */
  const parentCalls = new Set<string>();
  let isInStep = false;
  const tellRunning = () =>
    live.set(
      describeWork({
        calls: describeFirst([...calls.running.values()]),
        isWaiting: parentCalls.size > 0 || !isInStep,
        children,
      }),
    );
  const tellDim = (text: string) => tell(styleMessage("dim", text));

  return {
    tell: tellDim,
    async show(event) {
      switch (event.type) {
        case "agent-start":
        case "reminder-message":
          for (const line of describeGivenNotes(event.notes)) await tellDim(line);
          break;
        case "step-start":
          isInStep = true;
          tellRunning();
          break;
        case "step-end":
          isInStep = false;
          // The agent itself is idle now and waits for its background agents.
          if (children.atWork > 0) tellRunning();
          break;
        case "text-delta":
          await printed.say("words", event.text);
          break;
        case "reasoning-delta":
          await printed.say("thoughts", event.text);
          break;
        case "call-draft":
          await endLine();
          live.set(
            `writing a call to ${escapeLine(event.toolName)} (${countOf(event.characters, "character")})`,
          );
          break;
        case "assistant-message":
          live.clear();
          await endLine();
          calls.note(event);
          break;
        case "call-start":
          if (calls.start(event, workspace) !== undefined) tellRunning();
          break;
        case "call-end":
          if (!calls.end(event.callId)) break;
          parentCalls.delete(event.callId);
          if (!children.takeParentCall(event.callId))
            await tell(describeCall(event, { style: styleMessage, workspace }));
          tellRunning();
          break;
        case "subagent-start":
        case "subagent-event":
        case "subagent-end":
          // The agent's lines replace the line of the call that spawned it.
          if (event.type === "subagent-start" && calls.hide(event.callId)) parentCalls.add(event.callId);
          if (await printed.tellBetween(children.show(event))) tellRunning();
          break;
        case "model-retry":
          live.set(undefined);
          await tell(styleMessage("yellow", escapeLine(describeRetry(event))));
          live.set("waiting to try again");
          break;
        case "context-compact":
          await tellDim("a summary took the place of the conversation so far");
          break;
        case "context-trim":
          await tellDim("older tool outputs were left out to save context");
          break;
        case "agent-end":
          live.set(undefined);
          await endLine();
          isInStep = false;
          calls.clear();
          parentCalls.clear();
          break;
      }
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
function describeWork({
  calls,
  isWaiting,
  children,
}: {
  calls: string | undefined;
  isWaiting: boolean;
  children: Pick<ChildrenDisplay, "atWork" | "activity">;
}): string {
  const { atWork } = children;
  const others = `${countOf(atWork, "agent")} working`;
  if (atWork === 0) return calls ?? "thinking";
  if (calls !== undefined || !isWaiting) return `${calls ?? "thinking"} (${others})`;
  const activity = children.activity();
  return activity === undefined ? others : `${others}: ${activity}`;
}
