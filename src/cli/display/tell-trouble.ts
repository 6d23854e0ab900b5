import { oneLine } from "../../shared/text/one-line.ts";
import type { Output } from "../terminal/output.ts";

/** Tells of what went wrong with a client, which may have had a hand in the words. */
export function tellTrouble(output: Output): (error: Error) => void {
  return ({ message }) => void output.tell(`toolwright: ${oneLine(message, maxCharacters)}`);
}

const maxCharacters = 500;
