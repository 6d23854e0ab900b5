import { isYes, readAnswer } from "./read-answer.ts";

/**
 * Shows rows on the terminal, in parts if they are more than it can scroll back. Returns whether the person has seen all
 * rows, refused to read on, or pressed Ctrl-C or Ctrl-D.
 */
export async function showRows(
  rows: readonly string[],
  signal?: AbortSignal,
): Promise<"shown" | "refused" | "left"> {
  for (let end = rowsAtOnce; end < rows.length; end += rowsAtOnce) {
    process.stderr.write(`${rows.slice(end - rowsAtOnce, end).join("\n")}\n`);
    const question = `That was row ${end} of ${rows.length}. Press Enter to read on, or type n to refuse: `;
    const answer = await readAnswer(question, signal);
    if (answer === undefined) return "left";
    if (answer.trim() !== "" && !isYes(answer)) return "refused";
  }
  const last = rows.slice(Math.floor(Math.max(0, rows.length - 1) / rowsAtOnce) * rowsAtOnce);
  process.stderr.write(`${last.join("\n")}\n`);
  return "shown";
}

const rowsAtOnce = 400;

/** Whether rows are so many that their beginning has scrolled off the screen. */
export function areTooMany(rows: readonly string[]): boolean {
  return rows.length >= (process.stderr.rows || usualRows);
}

const usualRows = 24;
