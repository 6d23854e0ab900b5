import type { Invocation } from "../command.ts";
import { screenColumns, stdoutColumns } from "../display/format-columns.ts";
import { isAttended } from "./is-attended.ts";
import { isYes, readAnswer } from "./read-answer.ts";
import { showRows } from "./show-rows.ts";

/**
 * Shows a text in full and asks whether the person agrees to it; at a terminal, page by page. Without a terminal the
 * answer is no, unless the person agreed beforehand by a flag.
 */
export async function confirmShown(
  format: (columns: number) => readonly string[],
  question: string,
  { flags, output }: Pick<Invocation, "flags" | "output">,
  isAgreed = flags.yes === true,
): Promise<boolean> {
  if (!isAgreed && (await isAttended()))
    return (await showRows(format(screenColumns()))) === "shown" && confirmTrust(question);
  // With --json, a program reads the output.
  if (!flags.json) await output.write(`${format(stdoutColumns()).join("\n")}\n`);
  return isAgreed;
}

/** Asks a question at the terminal; without one, the answer is no. */
export async function confirmTrust(question: string): Promise<boolean> {
  return isYes((await readAnswer(`${question} [y/N] `)) ?? "");
}

/** Shows all of a printable text, and asks for a yes or no; undefined if the answer is neither. */
export async function confirmRows(text: string, question: string): Promise<boolean | undefined> {
  if ((await showRows(text.trimEnd().split("\n"))) !== "shown") return undefined;
  const answer = (await readAnswer(`${question} [y/n, Enter for later] `)) ?? "";
  if (isYes(answer)) return true;
  return /^\s*no?\s*$/i.test(answer) ? false : undefined;
}
