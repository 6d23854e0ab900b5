import type { LanguageModelV4 } from "@ai-sdk/provider";

/**
 * Whether a model that is held to a format can still call tools. Servers with OpenAI's chat API often hold every answer to
 * the format, calls included, or refuse the two together.
 */
export function formatsWithTools({ provider }: Pick<LanguageModelV4, "provider">): boolean {
  // By the AI SDK's provider names.
  return !provider.endsWith(".chat") || provider === "openai.chat";
}
