import type { LoggedEventOf } from "../../../kernel/events/session-event.ts";
import type { AgentContents } from "../host/agent-host.ts";
import type { ToolOutput } from "../transcript/transcript.ts";

/** A result as the model was shown it, for the log: images are given by the names of their stored bytes. */
export type ShownContent = LoggedEventOf<"images-show">["content"];

/** Stores the images of an answer; undefined if it has none or there is no space for them. */
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
    else value.push(toFile(part.mimeType, bytes.toString()));
  }
  return { type: "content", value };
}

/** Placeholder of the same measured size, until the images are read. */
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
