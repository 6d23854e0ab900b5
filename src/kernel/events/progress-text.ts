import { isPlainObject } from "../../shared/json.ts";

/** The text of a report of progress that is a text, or the output of a command; undefined for any other report. */
export function progressText(update: unknown): string | undefined {
  if (typeof update === "string") return update;
  const isPrinted = isPlainObject(update) && update.type === "output" && typeof update.text === "string";
  return isPrinted ? (update.text as string) : undefined;
}
