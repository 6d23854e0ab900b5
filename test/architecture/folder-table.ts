import { readText } from "./project-files.ts";

/** Which folders each folder may import, as the table in docs/ARCHITECTURE.md says it to people. */
export async function readFolderTable(): Promise<Map<string, readonly string[]>> {
  const text = await readText("docs/ARCHITECTURE.md");
  const lines = text.split("\n");
  const header = lines.findIndex((line) => /^\| *folder *\|.*\| *may import *\|$/.test(line));
  if (header === -1)
    throw new Error("docs/ARCHITECTURE.md has no table with the columns folder and may import");
  const rows = lines.slice(header + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return new Map(rows.slice(0, end).map(readRow));
}

function readRow(line: string): [string, readonly string[]] {
  const cells = line.split("|").slice(1, -1);
  const [folder = ""] = quotedNames(cells[0] ?? "");
  return [folder, quotedNames(cells.at(-1) ?? "")];
}

function quotedNames(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}
