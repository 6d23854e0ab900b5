import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { isPlainObject } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import type { WatchedAnswer } from "../watch-model.ts";

/** A message of a conversation, as KODE's hooks see it. */
export interface KodeMessage {
  role: "user" | "assistant" | "system";
  content: KodeBlock[];
}

export type KodeBlock =
  | { type: "text"; text: string }
  | { type: "reasoning"; reasoning: string }
  | { type: "tool_use"; id: string; name: string; input: unknown }
  | { type: "tool_result"; tool_use_id: string; content: unknown; is_error?: boolean }
  | { type: "file" | "image"; [field: string]: unknown };

/** The conversation in KODE's words, and back. The system prompt is not part of it. */
export function toKodeMessages(prompt: LanguageModelV4Prompt): {
  readonly messages: KodeMessage[];
  /** The prompt with the later changes to its messages; unchanged messages are sent as they were. */
  back(): LanguageModelV4Prompt;
} {
  const system = prompt.filter(({ role }) => role === "system");
  const conversation = prompt.filter(({ role }) => role !== "system");
  const messages = conversation.map(toKodeMessage);
  const known = new Map(messages.map((message, at) => [message, { at, text: JSON.stringify(message) }]));
  return {
    messages,
    back() {
      const changed = messages.flatMap((message) => {
        const before = known.get(message);
        const isSame = before !== undefined && before.text === JSON.stringify(message);
        return isSame ? [conversation[before.at]!] : fromKodeMessage(message, toolNames(conversation));
      });
      return [...system, ...changed];
    },
  };
}

function toKodeMessage(message: LanguageModelV4Message): KodeMessage {
  if (typeof message.content === "string")
    return { role: "system", content: [{ type: "text", text: message.content }] };
  const role = message.role === "assistant" ? "assistant" : "user";
  return { role, content: message.content.map(toKodeBlock) };
}

type MessagePart = Exclude<LanguageModelV4Message["content"], string>[number];

function toKodeBlock(part: MessagePart | WatchedAnswer["content"][number]): KodeBlock {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return { type: "reasoning", reasoning: part.text };
    case "tool-call":
      return { type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input };
    case "tool-result": {
      const { type } = part.output;
      const content = "value" in part.output ? part.output.value : undefined;
      const isError = type.startsWith("error-") || type === "execution-denied";
      const failure = defined({ is_error: isError || undefined });
      return { type: "tool_result", tool_use_id: part.toolCallId, content, ...failure };
    }
    default:
      return { ...part, type: "file" };
  }
}

/** An answer of the model, as a message. Its calls have their input as text. */
export function answerToKode({ content }: WatchedAnswer): KodeMessage {
  const blocks = content.map((part) =>
    toKodeBlock(part.type === "tool-call" ? { ...part, input: parsed(part.input) as never } : part),
  );
  return { role: "assistant", content: blocks };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function toolNames(conversation: LanguageModelV4Prompt): ReadonlyMap<string, string> {
  const calls = conversation.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((part) => part.type === "tool-call"),
  );
  return new Map(calls.map(({ toolCallId, toolName }) => [toolCallId, toolName]));
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

/** Results of tools are separate messages, before the rest of their message. */
function fromKodeMessage(
  { role, content }: KodeMessage,
  names: ReadonlyMap<string, string>,
): LanguageModelV4Message[] {
  const blocks = Array.isArray(content) ? (content.filter(isPlainObject) as KodeBlock[]) : [];
  if (role === "system") return [{ role, content: textsOf(blocks).join("\n") }];
  if (role === "assistant") {
    const parts = blocks.flatMap((block): AssistantContent => {
      if (block.type === "text") return [{ type: "text", text: String(block.text) }];
      if (block.type === "reasoning") return [{ type: "reasoning", text: String(block.reasoning) }];
      if (block.type !== "tool_use") return [];
      const { id: toolCallId, name: toolName, input } = block;
      return [{ type: "tool-call", toolCallId, toolName, input }];
    });
    return parts.length === 0 ? [] : [{ role, content: parts }];
  }
  const results = blocks.flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const { tool_use_id: toolCallId, content: said, is_error: isError } = block;
    const value = typeof said === "string" ? said : JSON.stringify(said ?? "");
    const output = { type: isError ? ("error-text" as const) : ("text" as const), value };
    return [{ type: "tool-result" as const, toolCallId, toolName: names.get(toolCallId) ?? "tool", output }];
  });
  const texts = textsOf(blocks).map((text) => ({ type: "text" as const, text }));
  const messages: LanguageModelV4Message[] = [
    { role: "tool", content: results },
    { role: "user", content: texts },
  ];
  return messages.filter((message) => message.content.length > 0);
}

function textsOf(blocks: readonly KodeBlock[]): string[] {
  return blocks.flatMap((block) => (block.type === "text" ? [String(block.text)] : []));
}
