import { stdoutColumns } from "../display/format-columns.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { confirmTrust } from "./confirm-trust.ts";
import { isAttended } from "./is-attended.ts";
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
    /** Said with the command. */
    readonly isAgreed: boolean;
    /** The output is for a program, and has to stay in the form that the program reads. */
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
