import { nearestNames } from "../shared/text/nearest-names.ts";
import type { ToolFormat } from "./tool-format.ts";
import { aiSdkFormat } from "./vendors/ai-sdk-format.ts";
import { anthropicFormat } from "./vendors/anthropic-format.ts";
import { geminiFormat } from "./vendors/gemini-format.ts";
import { jsonFormat } from "./vendors/json-format.ts";
import { mcpFormat } from "./vendors/mcp-format.ts";
import { openaiChatFormat } from "./vendors/openai-chat-format.ts";
import { openaiResponsesFormat } from "./vendors/openai-responses-format.ts";

/** Every format by its name. A message is read by the first that finds calls in it. */
export const formats = {
  openai: openaiChatFormat,
  "openai-responses": openaiResponsesFormat,
  anthropic: anthropicFormat,
  "ai-sdk": aiSdkFormat,
  gemini: geminiFormat,
  mcp: mcpFormat,
  json: jsonFormat,
} satisfies Record<string, ToolFormat>;

export type FormatName = keyof typeof formats;

/** What `session.tools` gives in each format: what the vendor's API takes as its `tools`. */
export type RenderedTools = {
  readonly [Name in FormatName]: ReturnType<(typeof formats)[Name]["renderTools"]>;
};

const formatNames = Object.keys(formats) as readonly FormatName[];

export function checkFormatName(name: unknown): asserts name is FormatName {
  if (typeof name === "string" && Object.hasOwn(formats, name)) return;
  const nearest = typeof name === "string" ? nearestNames(name, formatNames) : [];
  const meant = nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : "";
  throw new TypeError(
    `the format must be one of ${formatNames.join(", ")}; received ${JSON.stringify(name)}${meant}`,
  );
}
