import { contentOf, hasFailed } from "../../../formats/result-content.ts";
import { toAiSdkContent } from "../../../formats/vendors/ai-sdk-content.ts";
import type { CallResult } from "../../../kernel/call/call.ts";
import type { ToolOutput } from "../transcript/transcript.ts";

/** A result as the model is given it, with images of the types that the model can see. */
export function outputOf(
  result: Pick<CallResult, "status" | "text" | "content">,
  { imageTypes = new Set() }: { imageTypes?: ReadonlySet<string> } = {},
): ToolOutput {
  const answer = { result: { ...result, callId: "" } };
  const { text, images } = contentOf(answer, imageTypes);
  // Some providers refuse an empty text.
  const said = text === "" ? "(no output)" : text;
  if (hasFailed(answer)) return { type: "error-text", value: said };
  if (images.length === 0) return { type: "text", value: said };
  return toAiSdkContent(text, images);
}
