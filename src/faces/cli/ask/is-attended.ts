import { isatty } from "node:tty";
import { isStartedBySession } from "../started-by-session.ts";

/**
 * Whether a person is at the terminal and can be asked. A program that a command of a session starts may have a
 * terminal too, on which the command itself can type: that is not a person.
 */
export async function isAttended(): Promise<boolean> {
  return isatty(0) && isatty(2) && !(await isStartedBySession());
}
