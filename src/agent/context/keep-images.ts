import type { LoggedEventOf } from "../../runtime/events/session-event.ts";
import type { AgentHost } from "../agent-host.ts";
import type { ToolOutput } from "../transcript/transcript.ts";

/** What a model was shown of a result, as the log tells it: images under the names that their bytes are kept by. */
export type ShownContent = LoggedEventOf<"images-show">["content"];

/** Keeps the images of an answer; undefined where it has none, or where there is no room for them. */
export async function keepImages(
  output: ToolOutput,
  { keepBytes }: Pick<AgentHost, "keepBytes">,
): Promise<ShownContent | undefined> {
  if (output.type !== "content") return undefined;
  const content: ShownContent[number][] = [];
  for (const part of output.value) {
    if (part.type === "text") content.push({ type: "text", text: part.text });
    const data = dataOf(part);
    if (data === undefined) continue;
    // As they were written: the prompt is to be the same to the letter when it is made again.
    const name = await keepBytes(Buffer.from(data.text)).catch(() => undefined);
    if (name === undefined) return undefined;
    content.push({ type: "image", mimeType: data.mimeType, name });
  }
  return content;
}

/** The answer again; undefined where its images are gone. */
export async function readImages(
  content: ShownContent,
  { readBytes }: Pick<AgentHost, "readBytes">,
): Promise<ToolOutput | undefined> {
  const value: OutputPart[] = [];
  for (const part of content) {
    const bytes = part.type === "image" ? await readBytes(part.name).catch(() => undefined) : undefined;
    if (part.type === "text") value.push(part);
    else if (bytes === undefined) return undefined;
    else value.push(toFile(part.mimeType, bytes.toString()));
  }
  return { type: "content", value };
}

/** In its place until the images are read: as long, for whoever measures it. */
export function withoutImages(content: ShownContent): ToolOutput {
  const value = content.map((part) => (part.type === "text" ? part : toFile(part.mimeType, "")));
  return { type: "content", value };
}

type OutputPart = Extract<ToolOutput, { type: "content" }>["value"][number];

function dataOf(part: OutputPart): { mimeType: string; text: string } | undefined {
  if (part.type !== "file" || part.data.type !== "data" || typeof part.data.data !== "string")
    return undefined;
  return { mimeType: part.mediaType, text: part.data.data };
}

function toFile(mediaType: string, data: string): OutputPart {
  return { type: "file", mediaType, data: { type: "data", data } };
}
