import { z } from "zod";

/** The same trivial tool and the same input for everybody. */
export const echoInput = { text: "the quick brown fox jumps over the lazy dog" };
export const echoDescription = "Gives back the text it was given.";
export const echoSchema = z.object({ text: z.string() });

export async function echo({ text }) {
  return text;
}

/** A benchmark of something that does not work measures nothing. */
export function checkEcho(text) {
  if (text !== echoInput.text) throw new Error(`echo gave ${JSON.stringify(text)}`);
}
