import type { AiSdkToolMessage } from "../../formats/vendors/ai-sdk-format.ts";
import type { AnthropicAnswer } from "../../formats/vendors/anthropic-format.ts";
import type { GeminiAnswer } from "../../formats/vendors/gemini-format.ts";
import type { McpToolResult } from "../../formats/vendors/mcp-format.ts";
import type { OpenAiImageMessage, OpenAiToolMessage } from "../../formats/vendors/openai-chat-format.ts";
import type { OpenAiCallOutput } from "../../formats/vendors/openai-responses-format.ts";

/** The type of the messages that answer a vendor's message, if its own type tells the vendor. */
export type AnswerTo<Message> = Message extends readonly unknown[]
  ? OpenAiCallOutput
  : "output" extends keyof Message
    ? OpenAiCallOutput
    : "tool_calls" extends keyof Message
      ? OpenAiToolMessage | OpenAiImageMessage
      : "choices" extends keyof Message
        ? OpenAiToolMessage | OpenAiImageMessage
        : "stop_reason" extends keyof Message
          ? AnthropicAnswer
          : "parts" extends keyof Message
            ? GeminiAnswer
            : "candidates" extends keyof Message
              ? GeminiAnswer
              : AnyAnswer;

export type AnyAnswer =
  | OpenAiToolMessage
  | OpenAiImageMessage
  | OpenAiCallOutput
  | AnthropicAnswer
  | GeminiAnswer
  | AiSdkToolMessage
  | McpToolResult;
