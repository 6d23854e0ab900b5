import { stdoutColumns } from "../display/format-columns.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { isAttended } from "./is-attended.ts";
import { readAnswer } from "./read-answer.ts";
import { screenColumns } from "./screen-columns.ts";
import { showRows } from "./show-rows.ts";

/**
 * Shows a text in full and asks whether the person agrees to it; at a terminal, page by page. Without a terminal the
 * answer is no, unless the person agreed beforehand by a flag.
 */
export async function confirmShown(
  format: (columns: number) => readonly string[],
  question: string,
  {
    output,
    isAgreed,
    isForProgram,
  }: {
    readonly output: CommandOutput;
    /** The person agreed beforehand, by a flag of the command. */
    readonly isAgreed: boolean;
    /** A program reads the output, so that nothing else may be written to it. */
    readonly isForProgram: boolean;
  },
): Promise<boolean> {
  if (!isAgreed && (await isAttended())) {
    const shown = await showRows(format(screenColumns()), new AbortController().signal);
    return shown === "shown" && confirmTrust(question);
  }
  if (!isForProgram) await output.write(`${format(stdoutColumns()).join("\n")}\n`);
  return isAgreed;
}

/** Asks a question at the terminal; without one, the answer is no. */
export async function confirmTrust(question: string): Promise<boolean> {
  const answer = await readAnswer(`${question} [y/N] `, new AbortController().signal);
  return /^\s*y(?:es)?\s*$/i.test(answer ?? "");
}

/** Shows all of a printable text, and asks for a yes or no; undefined if the answer is neither. */
export async function confirmRows(text: string, question: string): Promise<boolean | undefined> {
  const { signal } = new AbortController();
  if ((await showRows(text.trimEnd().split("\n"), signal)) !== "shown") return undefined;
  const answer = (await readAnswer(`${question} [y/n, Enter for later] `, signal)) ?? "";
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return true;
  return /^\s*no?\s*$/i.test(answer) ? false : undefined;
}
