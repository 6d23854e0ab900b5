import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { AssistantCall, AssistantPart } from "../runtime/events/agent-event.ts";
import { measure } from "./measure.ts";

/**
 * A conversation as the model is shown it. Every step holds what the model said together with an answer to each of its
 * calls, so that neither can be left out without the other and no call ever goes unanswered.
 */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[];
  /** Characters, as far as they can be counted. */
  readonly size: number;
  addUser(text: string): void;
  addStep(content: readonly AssistantPart[]): StepEntry;
  answer(call: AnsweredCall, output: ToolOutput): void;
  /** Puts a note in the place of an answer. */
  mask(call: AnsweredCall, note: string): void;
  /** Leaves out the oldest step that is still there, with all its calls and answers. */
  dropStep(): void;
  /** Leaves out the oldest message but the first, which says what it is all about. */
  dropMessage(): void;
  hasCall(toolCallId: string): boolean;
  messages(): LanguageModelV4Message[];
  /** Whether the model has the next word. */
  readonly isModelsTurn: boolean;
}

export type TranscriptEntry = UserEntry | StepEntry;

export interface UserEntry {
  readonly kind: "user";
  readonly text: string;
}

export interface StepEntry {
  readonly kind: "step";
  readonly content: readonly AssistantPart[];
  readonly calls: readonly AnsweredCall[];
}

export interface AnsweredCall {
  readonly part: AssistantCall;
  /** `notRun` until it is answered. */
  output: ToolOutput;
  size: number;
  isMasked: boolean;
}

export type ToolOutput = LanguageModelV4ToolResultPart["output"];

const notRun: ToolOutput = {
  type: "error-text",
  value: "This call was not run: the work was interrupted before it began. Call again if it is still needed.",
};

const droppedNote = "[Earlier steps of the work were left out here to save room.]";

export function createTranscript(): Transcript {
  const entries: TranscriptEntry[] = [];
  const callIds = new Set<string>();
  let size = 0;
  let isShortened = false;

  const replace = (call: AnsweredCall, output: ToolOutput): void => {
    size -= call.size;
    call.output = output;
    call.size = measure(output);
    size += call.size;
  };

  return {
    entries,
    get size() {
      return size;
    },
    addUser(text) {
      entries.push({ kind: "user", text });
      size += text.length;
    },
    addStep(content) {
      const calls = content
        .filter((part) => part.type === "tool-call")
        .map((part): AnsweredCall => ({ part, output: notRun, size: measure(notRun), isMasked: false }));
      const entry: StepEntry = { kind: "step", content, calls };
      entries.push(entry);
      size += measure(content);
      for (const call of calls) {
        callIds.add(call.part.toolCallId);
        size += call.size;
      }
      return entry;
    },
    answer: replace,
    mask(call, note) {
      replace(call, { type: "text", value: note });
      call.isMasked = true;
    },
    dropStep() {
      const index = entries.findIndex(({ kind }) => kind === "step");
      const [entry] = index === -1 ? [] : entries.splice(index, 1);
      if (entry?.kind !== "step") return;
      isShortened = true;
      size -= measure(entry.content);
      for (const call of entry.calls) {
        callIds.delete(call.part.toolCallId);
        size -= call.size;
      }
    },
    dropMessage() {
      const index = entries.findIndex(({ kind }, place) => place > 0 && kind === "user");
      const [entry] = index === -1 ? [] : entries.splice(index, 1);
      if (entry?.kind === "user") size -= entry.text.length;
    },
    hasCall: (toolCallId) => callIds.has(toolCallId),
    messages: () => toMessages(entries, isShortened),
    get isModelsTurn() {
      const last = entries.at(-1);
      return last !== undefined && (last.kind === "user" || last.calls.length > 0);
    },
  };
}

function toMessages(entries: readonly TranscriptEntry[], isShortened: boolean): LanguageModelV4Message[] {
  const messages: LanguageModelV4Message[] = [];
  for (const entry of entries) {
    if (entry.kind === "user") {
      const texts = isShortened && messages.length === 0 ? [entry.text, droppedNote] : [entry.text];
      messages.push({ role: "user", content: texts.map((text) => ({ type: "text", text })) });
      continue;
    }
    // A step without a word is no message: providers refuse one that is empty.
    if (entry.content.length > 0) messages.push({ role: "assistant", content: entry.content.map(toPart) });
    if (entry.calls.length > 0) messages.push({ role: "tool", content: entry.calls.map(toResult) });
  }
  return messages;
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

function toPart(part: AssistantPart): AssistantContent {
  if (part.type !== "tool-call") return part as AssistantContent;
  const { callId: _callId, ...sent } = part;
  return sent as AssistantContent;
}

function toResult({ part, output }: AnsweredCall): LanguageModelV4ToolResultPart {
  return { type: "tool-result", toolCallId: part.toolCallId, toolName: part.toolName, output };
}
