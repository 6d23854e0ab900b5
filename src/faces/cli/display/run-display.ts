import type { LoggedEvent } from "../../../kernel/events/session-event.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import type { LiveLine } from "../terminal/live-line.ts";
import { type ChildrenDisplay, createChildrenDisplay } from "./children-display.ts";
import { describeCall, describeStart } from "./describe-call.ts";
import { describeGivenNotes } from "./describe-given-notes.ts";
import { formatDuration } from "./format-time.ts";
import { showWords } from "./show-words.ts";

/** Shows an agent to a person: its text as it arrives, a line for each call, and what it is doing now. */
export interface RunDisplay {
  show(event: LoggedEvent): Promise<void>;
  /** Prints a message that is not part of the agent's work. */
  tell(text: string): Promise<void>;
}

export function createRunDisplay(
  output: Omit<CommandOutput, "writeJson" | "writeJsonLines" | "failure">,
  { live, workspace }: { live: LiveLine; workspace: string },
): RunDisplay {
  const { style, styleMessage, isTerminal } = output;
  /** Running calls: id to description. */
  const running = new Map<string, string>();
  /** Ids of the calls the model made; others in the session, such as previews, are not shown. */
  const own = new Set<string>();
  const children = createChildrenDisplay(output, workspace);
  /** Ids of the calls that wait for a sub-agent. */
  const parentCalls = new Set<string>();
  /** Lines about sub-agents, held back until the model's current line of text ends. */
  let held: string[] = [];
  let isInStep = false;
  let isLineOpen = false;
  let spoken: "words" | "thoughts" = "words";

  const endLine = async () => {
    if (isLineOpen) await output.write("\n");
    isLineOpen = false;
    const lines = held;
    held = [];
    if (lines.length > 0) await output.tell(lines.join("\n"));
  };
  const tell = async (text: string) => {
    live.clear();
    await endLine();
    await output.tell(text);
  };
  const say = async (kind: "words" | "thoughts", text: string) => {
    live.set(undefined);
    // Without a terminal, only the final answer is printed, at the end.
    if (!isTerminal) return;
    if (spoken !== kind) await endLine();
    spoken = kind;
    const shown = showWords(text);
    await output.write(kind === "thoughts" ? style("dim", shown) : shown);
    isLineOpen = !text.endsWith("\n");
  };
  const tellRunning = () => {
    const [label, ...others] = running.values();
    const calls = others.length > 0 ? `${label} and ${others.length} more` : label;
    live.set(describeWork({ calls, isWaiting: parentCalls.size > 0 || !isInStep, children }));
  };

  return {
    tell: (text) => tell(styleMessage("dim", text)),
    async show(event) {
      switch (event.type) {
        case "agent-start":
        case "reminder-message":
          for (const line of describeGivenNotes(event.notes)) await tell(styleMessage("dim", line));
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
          await say("words", event.text);
          break;
        case "reasoning-delta":
          await say("thoughts", event.text);
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
          for (const part of event.content) if (part.type === "tool-call") own.add(part.callId);
          break;
        case "call-start":
          if (!own.has(event.callId)) break;
          running.set(event.callId, describeStart(event, workspace));
          tellRunning();
          break;
        case "call-end":
          if (!own.delete(event.callId)) break;
          running.delete(event.callId);
          parentCalls.delete(event.callId);
          if (!children.takeParentCall(event.callId))
            await tell(describeCall(event, { style: styleMessage, workspace }));
          tellRunning();
          break;
        case "subagent-start":
        case "subagent-event":
        case "subagent-end": {
          // The agent's lines replace the line of the call that spawned it.
          if (event.type === "subagent-start" && running.delete(event.callId)) parentCalls.add(event.callId);
          const lines = children.show(event);
          if (isLineOpen) held.push(...lines);
          else {
            if (lines.length > 0) await tell(lines.join("\n"));
            tellRunning();
          }
          break;
        }
        case "model-retry":
          live.set(undefined);
          await tell(
            styleMessage(
              "yellow",
              escapeLine(`${event.reason}; trying again in ${formatDuration(event.delayMs)}`),
            ),
          );
          live.set("waiting to try again");
          break;
        case "context-compact":
          await tell(styleMessage("dim", "a summary took the place of what was said so far"));
          break;
        case "context-trim":
          await tell(styleMessage("dim", "older tool outputs were left out to save context"));
          break;
        case "agent-end":
          live.set(undefined);
          await endLine();
          isInStep = false;
          running.clear();
          parentCalls.clear();
          own.clear();
          break;
      }
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
