import { isatty } from "node:tty";
import { isStartedBySession } from "../started-by-session.ts";

/**
 * Whether a person is at the terminal and can be asked. What a command of a session starts may have a terminal too, which
 * the command itself can type on: then nobody is asked.
 */
export async function isAttended(): Promise<boolean> {
  return isatty(0) && isatty(2) && !(await isStartedBySession());
}
