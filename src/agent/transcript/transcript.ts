import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { AssistantCall, AssistantPart } from "../../runtime/events/agent-event.ts";
import { measure } from "../context/measure.ts";

/**
 * A conversation as the model is shown it. Every step holds what the model said together with an answer to each of its
 * calls, so that neither can be left out without the other and no call ever goes unanswered.
 */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[];
  /** Characters, as far as they can be counted. */
  readonly size: number;
  addUser(text: string): void;
  addStep(content: readonly AssistantPart[], finishReason: string): StepEntry;
  /** Before the step is shown to the model. */
  answer(call: TranscriptCall, output: ToolOutput): void;
  /** Puts another answer in the place of one that the model was shown. */
  replace(call: TranscriptCall, output: ToolOutput): void;
  /** Puts a note in the place of an answer. */
  mask(call: TranscriptCall, note: string): void;
  /** Puts what was cut in the place of a message. */
  cutMessage(message: UserEntry, text: string): void;
  /** Leaves out the oldest step that is still there, with all its calls and answers. */
  dropStep(): void;
  /** Leaves out the oldest message but the first, which says what it is all about. */
  dropMessage(): void;
  hasCall(toolCallId: string): boolean;
  /** All of it, behind what comes first. */
  messages(first: LanguageModelV4Message): LanguageModelV4Message[];
  /** Whether the model has the next word. */
  readonly isModelsTurn: boolean;
  /** Whether the last word was the model's, and it was stopped in the middle of it. */
  readonly isBrokenOff: boolean;
}

type TranscriptEntry = UserEntry | StepEntry;

export interface UserEntry {
  readonly kind: "user";
  text: string;
}

export interface StepEntry {
  readonly kind: "step";
  readonly content: readonly AssistantPart[];
  readonly calls: readonly TranscriptCall[];
  readonly finishReason: string;
}

export interface TranscriptCall {
  readonly part: AssistantCall;
  /** That it was not run, until it is answered. */
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
  // Made once, since they go with every prompt; all are made again when something has changed among them.
  let made: LanguageModelV4Message[] = [];
  let madeEntries = 0;
  let size = 0;
  let isShortened = false;

  const answer = (call: TranscriptCall, output: ToolOutput): void => {
    size -= call.size;
    call.output = output;
    call.size = measure(output);
    size += call.size;
  };

  const startOver = (): void => {
    made = [];
    madeEntries = 0;
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
    addStep(content, finishReason) {
      const calls = content
        .filter((part) => part.type === "tool-call")
        .map((part): TranscriptCall => ({ part, output: notRun, size: measure(notRun), isMasked: false }));
      const entry: StepEntry = { kind: "step", content, calls, finishReason };
      entries.push(entry);
      size += measure(content);
      for (const call of calls) {
        callIds.add(call.part.toolCallId);
        size += call.size;
      }
      return entry;
    },
    answer,
    replace(call, output) {
      startOver();
      answer(call, output);
    },
    mask(call, note) {
      startOver();
      answer(call, { type: "text", value: note });
      call.isMasked = true;
    },
    cutMessage(message, text) {
      startOver();
      size += text.length - message.text.length;
      message.text = text;
    },
    dropStep() {
      const index = entries.findIndex(({ kind }) => kind === "step");
      const [entry] = index === -1 ? [] : entries.splice(index, 1);
      if (entry?.kind !== "step") return;
      isShortened = true;
      startOver();
      size -= measure(entry.content);
      for (const call of entry.calls) {
        callIds.delete(call.part.toolCallId);
        size -= call.size;
      }
    },
    dropMessage() {
      const index = entries.findIndex(({ kind }, place) => place > 0 && kind === "user");
      const [entry] = index === -1 ? [] : entries.splice(index, 1);
      if (entry?.kind !== "user") return;
      startOver();
      size -= entry.text.length;
    },
    hasCall: (toolCallId) => callIds.has(toolCallId),
    messages(first) {
      for (; madeEntries < entries.length; madeEntries += 1) {
        const entry = entries[madeEntries]!;
        if (entry.kind === "user") made.push(toMessage(entry, isShortened && madeEntries === 0));
        else made.push(...toMessages(entry));
      }
      return [first].concat(made);
    },
    get isModelsTurn() {
      const last = entries.at(-1);
      return last !== undefined && (last.kind === "user" || last.calls.length > 0);
    },
    get isBrokenOff() {
      const last = entries.at(-1);
      if (last?.kind !== "step") return false;
      return last.finishReason === "interrupted" || last.finishReason === "length";
    },
  };
}

function toMessage({ text }: UserEntry, isShortened: boolean): LanguageModelV4Message {
  const texts = isShortened ? [text, droppedNote] : [text];
  return { role: "user", content: texts.map((each) => ({ type: "text", text: each })) };
}

/** A step without a word or a call is no message: providers refuse one that is empty, or a thought and nothing else. */
function toMessages({ content, calls }: StepEntry): readonly LanguageModelV4Message[] {
  if (content.every(({ type }) => type === "reasoning")) return [];
  return [
    { role: "assistant", content: content.map(toPart) },
    ...(calls.length > 0 ? [{ role: "tool" as const, content: calls.map(toResult) }] : []),
  ];
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

function toPart(part: AssistantPart): AssistantContent {
  if (part.type !== "tool-call") return part as AssistantContent;
  const { callId: _callId, ...sent } = part;
  return sent as AssistantContent;
}

function toResult({ part, output }: TranscriptCall): LanguageModelV4ToolResultPart {
  return { type: "tool-result", toolCallId: part.toolCallId, toolName: part.toolName, output };
}
