import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../../architecture/project-files.ts";

/** A command line, and whether it may run without a question. */
export interface SampleRow {
  readonly id: string;
  readonly command: string;
  readonly auto_allow_ok: boolean;
  readonly tags: readonly string[];
}

export async function readSampleRows(): Promise<{ harmless: SampleRow[]; dangerous: SampleRow[] }> {
  const text = await readFile(join(projectFolder, "test/fixtures/shell-commands.jsonl"), "utf8");
  const rows = text
    .trim()
    .split("\n")
    .map((line): SampleRow => JSON.parse(line));
  return {
    harmless: rows.filter((row) => row.auto_allow_ok),
    dangerous: rows.filter((row) => !row.auto_allow_ok),
  };
}

/** Rows in which a question would be forgiven. */
export function isHard({ tags }: SampleRow): boolean {
  return tags.includes("hard") || tags.includes("stretch");
}
