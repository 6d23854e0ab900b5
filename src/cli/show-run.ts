import type { LoggedEvent } from "../runtime/events/session-event.ts";
import { escapeControls, escapeLine } from "../shared/escape-controls.ts";
import { describeCall, summarize } from "./describe-call.ts";
import { formatDuration } from "./format-duration.ts";
import type { LiveLine } from "./live-line.ts";
import type { Output } from "./output.ts";

/** What a person sees of an agent at work: its words as they come, a line for each call, and what it is doing now. */
export interface RunDisplay {
  show(event: LoggedEvent): Promise<void>;
  /** Something that is said beside the work. */
  tell(text: string): Promise<void>;
}

export function createRunDisplay(output: Output, live: LiveLine): RunDisplay {
  const { style, styleTalk, isTerminal } = output;
  /** What runs now: the call's id to what it is about. */
  const running = new Map<string, string>();
  /** The calls of the model; others in the session, such as previews, are not its doing. */
  const own = new Set<string>();
  let isLineOpen = false;
  let spoken: "words" | "thoughts" = "words";

  const endLine = async () => {
    if (isLineOpen) await output.write("\n");
    isLineOpen = false;
  };
  const tell = async (text: string) => {
    live.clear();
    await endLine();
    await output.tell(text);
  };
  const say = async (kind: "words" | "thoughts", text: string) => {
    live.set(undefined);
    // Scripts get the last answer, once it is there.
    if (!isTerminal) return;
    if (spoken !== kind) await endLine();
    spoken = kind;
    const shown = showWords(text);
    await output.write(kind === "thoughts" ? style("dim", shown) : shown);
    isLineOpen = !text.endsWith("\n");
  };
  const tellRunning = () => {
    const labels = [...running.values()];
    const others = labels.length > 1 ? ` and ${labels.length - 1} more` : "";
    live.set(labels.length === 0 ? "thinking" : `${labels[0]}${others}`);
  };

  return {
    tell: (text) => tell(styleTalk("dim", text)),
    async show(event) {
      switch (event.type) {
        case "step-start":
          live.set("thinking");
          break;
        case "text-delta":
          await say("words", event.text);
          break;
        case "reasoning-delta":
          await say("thoughts", event.text);
          break;
        case "call-drafted":
          await endLine();
          live.set(`writing a call of ${escapeLine(event.toolName)} (${event.characters} characters)`);
          break;
        case "assistant-message":
          live.clear();
          await endLine();
          for (const part of event.content) if (part.type === "tool-call") own.add(part.callId);
          break;
        case "call-start":
          if (!own.has(event.callId)) break;
          running.set(event.callId, `${escapeLine(event.tool)} ${summarize(event.input)}`);
          tellRunning();
          break;
        case "call-end":
          if (!own.delete(event.callId)) break;
          running.delete(event.callId);
          await tell(describeCall(event, styleTalk));
          tellRunning();
          break;
        case "model-retry":
          await tell(
            styleTalk(
              "yellow",
              escapeLine(`${event.reason}; trying again in ${formatDuration(event.delayMs)}`),
            ),
          );
          live.set("waiting to try again");
          break;
        case "context-trimmed":
          await tell(styleTalk("dim", "old outputs were left out to save room"));
          break;
        case "agent-end":
          live.set(undefined);
          await endLine();
          running.clear();
          own.clear();
          break;
      }
    },
  };
}

/** Joiners and special spaces are how some languages and emoji are spelled, and nobody decides anything by these words. */
function showWords(text: string): string {
  return text.replace(/[^\u00a0\u2009\u200c-\u200d\u202f\u3000]+/gu, (part) => escapeControls(part));
}
