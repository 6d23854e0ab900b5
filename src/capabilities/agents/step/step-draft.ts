import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { asFields } from "../../../formats/index.ts";
import type { AssistantPart, ProviderOptions, TokenUsage } from "../../../kernel/events/index.ts";
import { readUsage } from "../context/token-usage.ts";
import { ModelError } from "../models/model-error.ts";
import { type DraftedCall, type GrowingCall, readCall } from "./read-call.ts";

export type StepDraft = ReturnType<typeof createStepDraft>;

/** The model's reply in one step. */
export interface ModelReply {
  readonly content: readonly AssistantPart[];
  readonly calls: readonly DraftedCall[];
  readonly finishReason: string;
  readonly usage?: TokenUsage | undefined;
}

/** Receives the reply while it arrives. */
export interface DraftListener {
  onText(kind: "text" | "reasoning", piece: string): void;
  onTextEnd(): void;
  onInput(call: { toolCallId: string; toolName: string; characters: number }): void;
}

interface GrowingText {
  readonly type: "text" | "reasoning";
  text: string;
  providerOptions?: ProviderOptions;
}

/**
 * The model's reply so far in one step, assembled from the parts of its stream. `isTakenId` says whether the transcript
 * already has a call with this id; ids must be unique in it.
 */
export function createStepDraft(listener: DraftListener, isTakenId: (toolCallId: string) => boolean) {
  const parts: (GrowingText | GrowingCall)[] = [];
  const open = new Map<string, GrowingText>();
  const calls = new Map<string, GrowingCall>();
  let finishReason = "";
  let usage: TokenUsage | undefined;
  let isFinished = false;
  let failure: { readonly error: unknown } | undefined;

  const addPart = (part: GrowingText | GrowingCall): void => {
    if (parts.length < maxParts) parts.push(part);
    else failure ??= { error: new ModelError(`the model's answer has more than ${maxParts} parts`) };
  };
  const textOf = (type: "text" | "reasoning", id: string): GrowingText => {
    const known = open.get(`${type} ${id}`);
    if (known !== undefined) return known;
    const made: GrowingText = { type, text: "" };
    open.set(`${type} ${id}`, made);
    addPart(made);
    return made;
  };
  const callOf = (id: string, toolName: string): GrowingCall => {
    const known = calls.get(id);
    if (known !== undefined && !known.isComplete) return known;
    const made: GrowingCall = { type: "tool-call", toolCallId: id, toolName, written: "", isComplete: false };
    calls.set(id, made);
    addPart(made);
    return made;
  };

  return {
    /** Whether the model finished; a stream that ends without saying so was cut short. */
    get isFinished() {
      return isFinished;
    },
    /** Whether nothing has arrived yet. */
    get isEmpty() {
      return parts.length === 0;
    },
    /** An error that the provider reported within the stream. */
    get failure() {
      return failure;
    },
    /** Ignores unknown kinds of parts, such as those that later versions add. */
    add(given: LanguageModelV4StreamPart): void {
      const part = withTexts(given);
      switch (part.type) {
        case "text-start":
        case "reasoning-start": {
          const type = typeOf(part);
          open.delete(`${type} ${part.id}`);
          keepOptions(textOf(type, part.id), part.providerMetadata);
          break;
        }
        case "text-delta":
        case "reasoning-delta": {
          const type = typeOf(part);
          const grown = textOf(type, part.id);
          grown.text += part.delta;
          keepOptions(grown, part.providerMetadata);
          if (part.delta !== "") listener.onText(type, part.delta);
          break;
        }
        case "text-end":
        case "reasoning-end":
          keepOptions(textOf(typeOf(part), part.id), part.providerMetadata);
          listener.onTextEnd();
          break;
        case "tool-input-start":
          if (part.providerExecuted !== true) callOf(part.id, part.toolName);
          break;
        case "tool-input-delta": {
          const call = calls.get(part.id);
          if (call === undefined || call.isComplete) break;
          call.written += part.delta;
          const { toolCallId, toolName, written } = call;
          listener.onInput({ toolCallId, toolName, characters: written.length });
          break;
        }
        case "tool-call": {
          if (part.providerExecuted === true) break;
          const call = callOf(part.toolCallId, part.toolName);
          call.toolName = part.toolName;
          call.written = part.input;
          call.isComplete = true;
          keepOptions(call, part.providerMetadata);
          break;
        }
        case "finish":
          finishReason = nameReason(part.finishReason);
          // Some providers end an answer that was cut short with this reason.
          isFinished = finishReason !== "interrupted";
          usage = readUsage(part.usage);
          break;
        case "error":
          failure ??= { error: part.error };
          break;
      }
    },
    finish(): ModelReply {
      const drafted: DraftedCall[] = [];
      const taken = new Set<string>();
      const isTaken = (id: string) => isTakenId(id) || taken.has(id);
      const content = parts.flatMap((part): AssistantPart[] => {
        if (part.type !== "tool-call")
          return isWorthKeeping(part) ? [{ ...part, text: part.text.toWellFormed() }] : [];
        const isCutOff = !part.isComplete || (finishReason === "length" && part === parts.at(-1));
        const call = readCall(part, { isCutOff, isTaken });
        drafted.push(call);
        taken.add(call.part.toolCallId);
        return [call.part];
      });
      return { content, calls: drafted, finishReason, usage };
    },
  };
}

function typeOf({ type }: LanguageModelV4StreamPart): GrowingText["type"] {
  return type.startsWith("text") ? "text" : "reasoning";
}

/** The words of a reply, without its reasoning and its calls. */
export function wordsOfReply(content: ModelReply["content"]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** More texts and calls than any model writes in one answer; all are read at once when it ends. */
const maxParts = 5000;

/** Providers may be written in plain JavaScript and omit any field. */
function withTexts(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  const { id, delta, toolCallId, toolName, ...fields } = asFields(part) ?? {};
  const texts = {
    id: toText(id),
    delta: toText(delta),
    toolCallId: toText(toolCallId),
    toolName: toText(toolName),
  };
  return Object.assign(fields, texts) as unknown as LanguageModelV4StreamPart;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Later options win: a signature arrives at the end of the reasoning. */
function keepOptions(part: GrowingText | GrowingCall, given: unknown): void {
  const options = asFields(given) as ProviderOptions | undefined;
  if (options !== undefined) part.providerOptions = { ...part.providerOptions, ...options };
}

/** Providers refuse empty text; reasoning without words may still carry its signature. */
function isWorthKeeping({ type, text, providerOptions }: GrowingText): boolean {
  return text.trim() !== "" || (type === "reasoning" && providerOptions !== undefined);
}

/** Older versions of the interface give the reason as a string. */
function nameReason(reason: unknown): string {
  const unified = typeof reason === "string" ? reason : asFields(reason)?.unified;
  return typeof unified === "string" ? unified : "other";
}
