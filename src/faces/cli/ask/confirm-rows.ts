import { readAnswer } from "./read-answer.ts";
import { showRows } from "./show-rows.ts";

/** Shows printable rows, all of them, and asks for a yes or no; undefined if the answer is neither. */
export async function confirmRows(text: string, question: string): Promise<boolean | undefined> {
  const { signal } = new AbortController();
  if ((await showRows(text.trimEnd().split("\n"), signal)) !== "shown") return undefined;
  const answer = (await readAnswer(`${question} [y/n, Enter for later] `, signal)) ?? "";
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return true;
  return /^\s*no?\s*$/i.test(answer) ? false : undefined;
}
