import { readAnswer } from "./read-answer.ts";

/** Asks at the terminal; without one, the answer is no. */
export async function confirmTrust(question: string): Promise<boolean> {
  const answer = await readAnswer(`${question} [y/N] `, new AbortController().signal);
  return /^\s*y(?:es)?\s*$/i.test(answer ?? "");
}
