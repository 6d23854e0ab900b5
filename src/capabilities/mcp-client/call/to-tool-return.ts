import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { cloneJson } from "../../../shared/json-schema/clone-json.ts";
import { defined } from "../../../shared/options/defined.ts";
import { capText, cleanText } from "../../../shared/text/clean-text.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { mapStrings } from "../../../shared/text/map-strings.ts";
import { isBeyondText, partToText } from "../../../tool/content-part.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ContentPart, ToolReturn } from "../../../tool/tool-result.ts";
import { note, toPart } from "./to-part.ts";

/** A server's result in the shape that our own tools return, of bounded size and without hidden characters. */
export function toToolReturn({ content, structuredContent, isError }: CallToolResult): ToolReturn {
  const parts = toParts(content ?? []);
  if (isError === true) throw failure(parts);
  const data = structuredContent === undefined ? undefined : toData(structuredContent);
  const all = data?.status === "refused" ? [...parts, note(data.why)] : parts;
  const value = data?.status === "taken" ? data.value : undefined;
  if (all.length === 0) return value ?? "";
  return { content: all, ...defined({ data: value }) };
}

const maxItems = 200;
const maxTextBytes = 4 * 1024 * 1024;
const maxDataCharacters = 4 * 1024 * 1024;

function toParts(content: readonly ContentBlock[]): ContentPart[] {
  const limited = createTotalLimit();
  const parts = content.slice(0, maxItems).map((block) => limited(toPart(block)));
  if (content.length <= maxItems) return parts;
  return [...parts, note(`${countOf(content.length - maxItems, "more part")} left out`)];
}

/** Limits all parts together, since many small ones can be too much. */
function createTotalLimit(): (part: ContentPart) => ContentPart {
  let textBytes = maxTextBytes;
  let base64Characters = maxBase64Characters;
  const takeText = (text: string) => {
    const kept = capText(text, Math.max(0, textBytes));
    textBytes -= Buffer.byteLength(kept);
    return kept;
  };
  return (part) => {
    const base64 = base64Of(part);
    if (base64 !== undefined) {
      base64Characters -= base64.length;
      return base64Characters < 0 ? note(`${part.type} left out: the result is too large`) : part;
    }
    if (part.type === "text") return { ...part, text: takeText(part.text) };
    if (part.type === "resource" && part.text !== undefined) return { ...part, text: takeText(part.text) };
    return part;
  };
}

const maxBase64Characters = 20 * 1024 * 1024;

function base64Of(part: ContentPart): string | undefined {
  if (part.type === "image" || part.type === "audio") return part.data;
  return part.type === "resource" ? part.blob : undefined;
}

type TakenData = { status: "taken"; value: unknown } | { status: "refused"; why: string };

function toData(value: unknown): TakenData {
  try {
    const characters = JSON.stringify(value).length;
    if (characters > maxDataCharacters) {
      return { status: "refused", why: `${countOf(characters, "character")} of data left out: too large` };
    }
    return { status: "taken", value: mapStrings(cloneJson(value), { text: cleanText }) };
  } catch (error) {
    const why = error instanceof RangeError ? "it is nested too deeply" : (error as Error).message;
    return { status: "refused", why: `data left out: ${why}` };
  }
}

function failure(parts: readonly ContentPart[]): ToolError {
  const content = parts.filter(isBeyondText);
  return new ToolError("tool-failed", textOf(parts), content.length > 0 ? { partial: { content } } : {});
}

/** The text parts of an error, as its message. */
function textOf(parts: readonly ContentPart[]): string {
  const texts = parts.flatMap((part) =>
    part.type === "text" || (part.type === "resource" && part.text !== undefined) ? partToText(part) : [],
  );
  return texts.join("\n").trim() || "the tool reported an error without a message";
}
