import type { Session } from "../../../src/index.ts";

/** Reads and edits until as many of its lines are in as wanted, each by another tool than the last. Returns the lines. */
export async function addLines(session: Session, name: string, count: number): Promise<readonly string[]> {
  const added: string[] = [];
  while (added.length < count) {
    const line = `${name}-${added.length}`;
    const { data, text, status } = await session.call("file_read", { path: "shared.txt" });
    if (status !== "done") throw new Error(text);
    const [tool, input] = tools[added.length % tools.length]!(line, (data as { content: string }).content);
    const result = await session.call(tool, input);
    if (result.status === "done") added.push(line);
    else if (result.error?.code !== "stale-file") throw new Error(`${line}: ${result.text}`);
  }
  return added;
}

const tools: readonly ((line: string, text: string) => [string, Record<string, unknown>])[] = [
  (line) => ["file_edit", { path: "shared.txt", old_string: "first", new_string: `first\n${line}` }],
  (line, text) => ["file_write", { path: "shared.txt", content: `${text.trimEnd()}\n${line}\n` }],
  (line) => ["file_patch", { patch: patchOf(line) }],
];

function patchOf(line: string): string {
  return `*** Begin Patch\n*** Update File: shared.txt\n@@\n first\n+${line}\n*** End Patch`;
}
