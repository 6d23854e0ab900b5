import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { CallEndEvent } from "../../kernel/events/session-event.ts";
import { isPlainObject } from "../../shared/json.ts";
import { codeSpan, fencedText } from "../../shared/markdown/fenced-text.ts";
import { cutMiddle } from "../../shared/text/cut-middle.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { showLookAlikes } from "../../shared/text/show-look-alikes.ts";
import { diffContent } from "./diff-content.ts";

/** The parts of a call that an editor shows: its kind, its main argument, and its files. */
export interface ToolCallView {
  title(name: string, input: unknown, agent?: string): string;
  kindOf(name: string): ToolKind;
  locations(input: unknown): ToolCallLocation[];
  /** The diffs of the files that the call changed, or its text; cut if it is long. */
  contentOf(event: Pick<CallEndEvent, "text" | "error" | "receipt">): ToolCallContent[];
  /** Cut if it is long; empty for a text without words. */
  textContent(text: string): ToolCallContent[];
}

export interface KnownTool {
  readonly name: string;
  readonly group?: string;
  readonly isReadOnly: boolean;
}

export function createToolCallView(
  workspace: string,
  find: (name: string) => KnownTool | undefined,
): ToolCallView {
  return {
    title(name, input, agent) {
      const about = firstText(input);
      const who = agent === undefined ? "" : `${codeSpan(showLookAlikes(oneLine(agent, 40)))}: `;
      return `${who}${codeSpan(oneLine(name, 80))} ${codeSpan(showLookAlikes(oneLine(about, 160)))}`.trimEnd();
    },
    kindOf(name) {
      const tool = find(name);
      if (tool === undefined) return "other";
      const kind = kindsByName.get(tool.name) ?? kindsByGroup.get(tool.group ?? "") ?? "other";
      return kind === "edit" && tool.isReadOnly ? "read" : kind;
    },
    locations: (input) => pathsOf(input).map((path) => ({ path: resolve(workspace, path) })),
    contentOf({ text, error, receipt }) {
      const diffs = receipt.effects.writes.length > 0 ? diffContent(text, workspace) : [];
      if (diffs.length > 0) return diffs;
      return textContent(text === "" && error !== undefined ? error.message : text);
    },
    textContent,
  };
}

function textContent(text: string): ToolCallContent[] {
  if (text.trim() === "") return [];
  const { text: short } = cutMiddle(text, { maxCharacters, headShare: 0.5 });
  return [{ type: "content", content: { type: "text", text: fencedText(short) } }];
}

const maxCharacters = 8_000;

/** The kinds of the built-in tools by their groups; the tools of other groups are `other`. */
const kindsByGroup: ReadonlyMap<string, ToolKind> = new Map([
  ["file", "edit"],
  ["search", "search"],
  ["shell", "execute"],
  ["code", "read"],
  ["web", "fetch"],
  ["network", "fetch"],
  ["todo", "think"],
  ["task", "think"],
]);

const kindsByName: ReadonlyMap<string, ToolKind> = new Map([
  ["file_delete", "delete"],
  ["file_move", "move"],
]);

/** The first string of an input, which nearly always names the subject of the call. */
function firstText(input: unknown): string {
  if (!isPlainObject(input)) return "";
  return Object.values(input).find((value): value is string => typeof value === "string") ?? "";
}

function pathsOf(input: unknown): string[] {
  if (!isPlainObject(input)) return [];
  return Object.entries(input)
    .flatMap(([name, value]) => (/path$|^source$/i.test(name) && typeof value === "string" ? [value] : []))
    .filter((path) => path !== "" && (isAbsolute(path) || !/^[a-z]+:\/\//i.test(path)))
    .slice(0, 10);
}
