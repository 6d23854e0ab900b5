import { isatty } from "node:tty";
import type { CallOptions } from "../../../kernel/runtime/index.ts";
import { createLock } from "../../../shared/lock.ts";
import { isStartedBySession } from "../started-by-session.ts";
import { createTerminalAnswers } from "./terminal-answers.ts";

/**
 * Whether a person is at the terminal and can be asked. A program that a command of a session starts may have a
 * terminal too, on which the command itself can type: that is not a person.
 */
export async function isAttended(): Promise<boolean> {
  return isatty(0) && isatty(2) && !(await isStartedBySession());
}

/** Lets a person at the terminal answer one thing at a time, even when several calls ask at once; empty without a person. */
export async function attendedAnswers(
  oneAtATime = createLock(),
): Promise<Pick<CallOptions, "onApproval" | "onQuestion">> {
  if (!(await isAttended())) return {};
  const { decide, onQuestion } = createTerminalAnswers(oneAtATime);
  return { onApproval: (request, signal) => decide(request, signal), onQuestion };
}
