import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { CallEndEvent } from "../../kernel/events/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { codeSpan, fencedText } from "../../shared/markdown/fenced-text.ts";
import { cutMiddle } from "../../shared/text/cut-middle.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { showLookAlikes } from "../../shared/text/show-look-alikes.ts";

export type ToolCallView = ReturnType<typeof createToolCallView>;

export interface KnownTool {
  readonly name: string;
  readonly group?: string;
  readonly isReadOnly: boolean;
}

/** The parts of a call that an editor shows: its kind, its main argument, and its files. */
export function createToolCallView(workspace: string, find: (name: string) => KnownTool | undefined) {
  return {
    title(name: string, input: unknown, agent?: string): string {
      const about = firstText(input);
      const who = agent === undefined ? "" : `${codeSpan(showLookAlikes(oneLine(agent, 40)))}: `;
      return `${who}${codeSpan(oneLine(name, 80))} ${codeSpan(showLookAlikes(oneLine(about, 160)))}`.trimEnd();
    },
    kindOf(name: string): ToolKind {
      const tool = find(name);
      if (tool === undefined) return "other";
      const kind = kindsByName.get(tool.name) ?? kindsByGroup.get(tool.group ?? "") ?? "other";
      return kind === "edit" && tool.isReadOnly ? "read" : kind;
    },
    locations: (input: unknown): ToolCallLocation[] =>
      pathsOf(input).map((path) => ({ path: resolve(workspace, path) })),
    /** The diffs of the files that the call changed, or its text; cut if it is long. */
    contentOf({ text, error, receipt }: Pick<CallEndEvent, "text" | "error" | "receipt">): ToolCallContent[] {
      const diffs = receipt.effects.writes.length > 0 ? diffContent(text, workspace) : [];
      if (diffs.length > 0) return diffs;
      return textContent(text === "" && error !== undefined ? error.message : text);
    },
    textContent,
  };
}

/** A text as an editor shows it: cut if it is long, and nothing for a text without words. */
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

/**
 * The hunks of the unified diffs in a result, as an editor shows them. A hunk that was cut, and a file whose name had to be
 * quoted, are left to the text.
 */
export function diffContent(text: string, workspace: string): ToolCallContent[] {
  const content: ToolCallContent[] = [];
  let path: string | undefined;
  const lines = text.split("\n");
  for (let at = 0; at < lines.length && content.length < maxHunks; at += 1) {
    const line = lines[at] ?? "";
    if (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) {
      path = pathIn(lines[at + 1] ?? "") ?? pathIn(line);
      at += 1;
      continue;
    }
    const size = hunkHeader.exec(line);
    if (size === null || path === undefined) continue;
    const hunk = readHunk(lines, at + 1, [Number(size[1] ?? 1), Number(size[2] ?? 1)]);
    if (hunk === undefined) continue;
    at = hunk.end - 1;
    content.push({ type: "diff", path: resolve(workspace, path), oldText: hunk.before, newText: hunk.after });
  }
  return content;
}

const maxHunks = 100;
const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Undefined for a name that is quoted, and for `/dev/null`. */
function pathIn(header: string): string | undefined {
  const name = header.slice("+++ ".length).replace(/\t$/, "");
  return /^[ab]\//.test(name) ? name.slice(2) : undefined;
}

function readHunk(lines: readonly string[], start: number, [before, after]: readonly [number, number]) {
  const [old, next]: [string[], string[]] = [[], []];
  let at = start;
  for (; old.length < before || next.length < after; at += 1) {
    const line = lines[at];
    const [mark, rest] = [line?.charAt(0), line?.slice(1) ?? ""];
    if (mark === "\\") continue;
    if (mark === "-" || mark === " ") old.push(rest);
    if (mark === "+" || mark === " ") next.push(rest);
    if (mark !== "-" && mark !== "+" && mark !== " ") return undefined;
  }
  if (old.length !== before || next.length !== after) return undefined;
  const join = (part: readonly string[]) => (part.length === 0 ? "" : `${part.join("\n")}\n`);
  return { before: join(old), after: join(next), end: at };
}
