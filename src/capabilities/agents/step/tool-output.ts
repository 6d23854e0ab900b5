import { contentOf, hasFailed, toAiSdkContent, toAiSdkFile } from "../../../formats/index.ts";
import type { CallResult } from "../../../kernel/call/index.ts";
import type { LoggedEventOf } from "../../../kernel/events/index.ts";
import type { AgentContents } from "../host/agent-host.ts";
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

/** A result as the model was shown it, for the log: images are given by the names of their stored bytes. */
export type ShownContent = LoggedEventOf<"images-show">["content"];

/** Stores the images of an answer; undefined if the answer has none, or the store has no space for them. */
export async function keepImages(
  output: ToolOutput,
  { keepBytes }: Pick<AgentContents, "keepBytes">,
): Promise<ShownContent | undefined> {
  if (output.type !== "content") return undefined;
  const content: ShownContent[number][] = [];
  for (const part of output.value) {
    if (part.type === "text") content.push({ type: "text", text: part.text });
    const data = dataOf(part);
    if (data === undefined) continue;
    // The encoded text, not the bytes it stands for: a rebuilt prompt must be identical.
    const name = await keepBytes(Buffer.from(data.text)).catch(() => undefined);
    if (name === undefined) return undefined;
    content.push({ type: "image", mimeType: data.mimeType, name });
  }
  return content;
}

/** Restores the answer; undefined if its images are gone. */
export async function readImages(
  content: ShownContent,
  { readBytes }: Pick<AgentContents, "readBytes">,
): Promise<ToolOutput | undefined> {
  const value: OutputPart[] = [];
  for (const part of content) {
    const bytes = part.type === "image" ? await readBytes(part.name).catch(() => undefined) : undefined;
    if (part.type === "text") value.push(part);
    else if (bytes === undefined) return undefined;
    else value.push(toAiSdkFile({ mimeType: part.mimeType, data: bytes.toString() }));
  }
  return { type: "content", value };
}

/** Placeholder of the same measured size, until the images are read. */
export function withoutImages(content: ShownContent): ToolOutput {
  const value = content.map((part) =>
    part.type === "text" ? part : toAiSdkFile({ mimeType: part.mimeType, data: "" }),
  );
  return { type: "content", value };
}

type OutputPart = Extract<ToolOutput, { type: "content" }>["value"][number];

function dataOf(part: OutputPart): { mimeType: string; text: string } | undefined {
  if (part.type !== "file" || part.data.type !== "data" || typeof part.data.data !== "string")
    return undefined;
  return { mimeType: part.mediaType, text: part.data.data };
}
