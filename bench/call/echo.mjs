import { z } from "zod";

/** The same trivial tool and input for every candidate. */
export const echoInput = { text: "the quick brown fox jumps over the lazy dog" };
export const echoDescription = "Gives back the text it was given.";
export const echoSchema = z.object({ text: z.string() });

export async function echo({ text }) {
  return text;
}

/** Checks the result: benchmarking something that does not work measures nothing. */
export function checkEcho(text) {
  if (text !== echoInput.text) throw new Error(`echo returned ${JSON.stringify(text)}`);
}
