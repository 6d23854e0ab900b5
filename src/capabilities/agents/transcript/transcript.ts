import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { toAiSdkFile } from "../../../formats/index.ts";
import type { AssistantCall, AssistantPart } from "../../../kernel/events/index.ts";
import type { MessageImage } from "../user-message.ts";

export type Transcript = ReturnType<typeof createTranscript>;

type TranscriptEntry = UserEntry | StepEntry;

export interface UserEntry {
  readonly kind: "user";
  text: string;
  readonly images: readonly MessageImage[];
  /** The provider refused them. */
  hasHiddenImages: boolean;
  /** Toolwright wrote it, not the person. */
  readonly isReminder: boolean;
  /** The message that began the conversation, if this entry is a summary. */
  readonly task?: string | undefined;
}

/** A text that takes the place of entries that are no longer shown. */
interface Summary {
  readonly text: string;
  readonly kept: number;
  readonly task: string;
}

export interface StepEntry {
  readonly kind: "step";
  readonly content: readonly AssistantPart[];
  readonly calls: readonly TranscriptCall[];
  readonly finishReason: string;
}

export interface TranscriptCall {
  readonly part: AssistantCall;
  /** Says that the call was not run until it is answered. */
  output: ToolOutput;
  size: number;
  isMasked: boolean;
  /** The call did not run, or its outcome is unknown. */
  isUnfinished: boolean;
}

export type ToolOutput = LanguageModelV4ToolResultPart["output"];

const notRun: ToolOutput = {
  type: "error-text",
  value: "This call did not run: the agent was interrupted first. Call again if you still need it.",
};

const droppedNote = "[Earlier steps were removed here to save space.]";

/**
 * The conversation that the model is shown. Every step holds the model's message together with an answer to each of its
 * calls, so that neither can be dropped without the other and no call goes unanswered.
 */
export function createTranscript() {
  const entries: TranscriptEntry[] = [];
  const callIds = new Set<string>();
  // Cached, since every prompt contains them; cleared when an earlier entry changes.
  let rendered: LanguageModelV4Message[] = [];
  let renderedEntries = 0;
  let size = 0;
  let isShortened = false;

  /** Answers a call before the model is shown the step; afterwards use `replace`. */
  const answer = (call: TranscriptCall, output: ToolOutput, isUnfinished = false): void => {
    size -= call.size;
    Object.assign(call, { output, isUnfinished, size: measure(output) });
    size += call.size;
  };

  const add = (entry: TranscriptEntry): void => {
    entries.push(entry);
    size += sizeOf(entry);
    if (entry.kind === "step") for (const { part } of entry.calls) callIds.add(part.toolCallId);
  };

  const forget = (entry: TranscriptEntry): void => {
    size -= sizeOf(entry);
    if (entry.kind === "step") for (const { part } of entry.calls) callIds.delete(part.toolCallId);
  };

  const clearRendered = (): void => {
    rendered = [];
    renderedEntries = 0;
  };

  /** Removes an entry. False for the index -1, which no entry has. */
  const drop = (index: number): boolean => {
    const [entry] = index === -1 ? [] : entries.splice(index, 1);
    if (entry === undefined) return false;
    clearRendered();
    forget(entry);
    return true;
  };

  return {
    entries: entries as readonly TranscriptEntry[],
    /** The length of the prompt in characters; images are estimated. */
    get size() {
      return size;
    },
    addUser: (text: string, images: readonly MessageImage[] = []): void => add(toUserEntry(text, { images })),
    /** Adds a text of ours in the place of a message of the user: providers have no other place for it. */
    addReminder: (text: string): void => add(toUserEntry(text, { isReminder: true })),
    /** Replaces the images of a message with a note, or shows them again. */
    hideImages(message: UserEntry, isHidden: boolean): void {
      clearRendered();
      message.hasHiddenImages = isHidden;
    },
    addStep(content: readonly AssistantPart[], finishReason: string): StepEntry {
      const calls = content.filter((part) => part.type === "tool-call").map(toOpenCall);
      const entry: StepEntry = { kind: "step", content, calls, finishReason };
      add(entry);
      return entry;
    },
    answer,
    /** Replaces an answer that the model was already shown. */
    replace(call: TranscriptCall, output: ToolOutput): void {
      clearRendered();
      answer(call, output);
    },
    /** Replaces an answer with a note. */
    mask(call: TranscriptCall, note: string): void {
      clearRendered();
      answer(call, { type: "text", value: note });
      call.isMasked = true;
    },
    /** Replaces a message with its shortened text. */
    cutMessage(message: UserEntry, text: string): void {
      clearRendered();
      size += text.length - message.text.length;
      message.text = text;
    },
    /** Drops the oldest step with its calls and answers. */
    dropStep(): void {
      if (drop(entries.findIndex(({ kind }) => kind === "step"))) isShortened = true;
    },
    /** Drops the oldest message except the first, which states the task. */
    dropMessage(): void {
      drop(entries.findIndex(({ kind }, place) => place > 0 && kind === "user"));
    },
    /** Replaces all but the last `kept` entries with a summary. */
    compact({ text, kept, task }: Summary): void {
      for (const entry of entries.splice(0, Math.max(0, entries.length - kept))) forget(entry);
      entries.unshift(toUserEntry(text, { task }));
      size += text.length;
      isShortened = false;
      clearRendered();
    },
    hasCall: (toolCallId: string) => callIds.has(toolCallId),
    /** The whole conversation, after the message `first`. */
    messages(first: LanguageModelV4Message): LanguageModelV4Message[] {
      for (; renderedEntries < entries.length; renderedEntries += 1) {
        const entry = entries[renderedEntries]!;
        if (entry.kind === "user") rendered.push(toMessage(entry, isShortened && renderedEntries === 0));
        else rendered.push(...toMessages(entry));
      }
      return [first].concat(rendered);
    },
    /** Whether the last entry waits for the model to answer. */
    get isModelsTurn(): boolean {
      const last = entries.at(-1);
      if (last === undefined) return false;
      return last.kind === "user" ? last.task === undefined : last.calls.length > 0;
    },
    /** Whether the last entry is an answer of the model that was cut short. */
    get isBrokenOff(): boolean {
      const last = entries.at(-1);
      if (last?.kind !== "step") return false;
      return last.finishReason === "interrupted" || last.finishReason === "length";
    },
  };
}

function toUserEntry(
  text: string,
  { images = [], isReminder = false, task }: Partial<Pick<UserEntry, "images" | "isReminder" | "task">>,
): UserEntry {
  return { kind: "user", text, images, hasHiddenImages: false, isReminder, task };
}

function toOpenCall(part: AssistantCall): TranscriptCall {
  return { part, output: notRun, size: measure(notRun), isMasked: false, isUnfinished: true };
}

function sizeOf(entry: TranscriptEntry): number {
  if (entry.kind === "user") return entry.text.length + entry.images.length * imageCharacters;
  return entry.calls.reduce((size, call) => size + call.size, measure(entry.content));
}

function toMessage(entry: UserEntry, isShortened: boolean): LanguageModelV4Message {
  const { text, images, hasHiddenImages } = entry;
  const texts = [text, hasHiddenImages ? hiddenNote : "", isShortened ? droppedNote : ""];
  const shown = hasHiddenImages ? [] : images;
  return {
    role: "user",
    content: [
      ...texts.filter((each) => each !== "").map((each) => ({ type: "text" as const, text: each })),
      ...shown.map(toAiSdkFile),
    ],
  };
}

const hiddenNote = "[images that could not be shown to you]";

/**
 * The messages of a step; none for a step without text or calls, because providers refuse a message that is empty or holds
 * only reasoning.
 */
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

/** Estimates how many characters of the prompt a value takes; an image counts as a page of text. */
export function measure(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 4;
  if (isFile(value)) return imageCharacters;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += measure(item) + 1;
    return size;
  }
  for (const [name, inner] of Object.entries(value)) size += name.length + measure(inner) + 4;
  return size;
}

// Providers count an image by its area; this is a large one.
const imageCharacters = 6000;

function isFile(value: object): boolean {
  return "type" in value && value.type === "file";
}
