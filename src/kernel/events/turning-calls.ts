import { isPlainObject } from "../../shared/json.ts";

/** Not registered as tools, but called like them: they take back what other calls have changed, or make it again. */
export const turningCalls: readonly string[] = ["undo", "redo", "rewind"];

/** The calls that such a call turns, by its input. */
export function turnedBy(input: unknown): readonly string[] {
  if (!isPlainObject(input)) return [];
  const { callId, calls } = input;
  if (typeof callId === "string") return [callId];
  return Array.isArray(calls) ? calls.filter((call) => typeof call === "string") : [];
}
