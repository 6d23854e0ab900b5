import { resolve } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";

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
