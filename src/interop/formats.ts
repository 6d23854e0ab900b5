import { nearestNames } from "../shared/text/nearest-names.ts";
import type { ToolFormat } from "./tool-format.ts";
import { aiSdk } from "./vendors/ai-sdk.ts";
import { anthropic } from "./vendors/anthropic.ts";
import { gemini } from "./vendors/gemini.ts";
import { mcp } from "./vendors/mcp.ts";
import { openaiChat } from "./vendors/openai-chat.ts";
import { openaiResponses } from "./vendors/openai-responses.ts";
import { plainJson } from "./vendors/plain-json.ts";

/** Every format by its name. A message is read by the first that finds calls in it. */
export const formats = {
  openai: openaiChat,
  "openai-responses": openaiResponses,
  anthropic,
  "ai-sdk": aiSdk,
  gemini,
  mcp,
  json: plainJson,
} satisfies Record<string, ToolFormat>;

export type FormatName = keyof typeof formats;

/** What `session.tools` gives in each format: what the vendor's API takes as its `tools`. */
export type RenderedTools = {
  readonly [Name in FormatName]: ReturnType<(typeof formats)[Name]["renderTools"]>;
};

const formatNames = Object.keys(formats) as readonly FormatName[];

export function checkFormat(name: unknown): asserts name is FormatName {
  if (typeof name === "string" && Object.hasOwn(formats, name)) return;
  const nearest = typeof name === "string" ? nearestNames(name, formatNames) : [];
  const meant = nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : "";
  throw new TypeError(
    `the format must be one of ${formatNames.join(", ")}; received ${JSON.stringify(name)}${meant}`,
  );
}
