import { isPlainObject } from "../../shared/json.ts";

/** What a call printed, if that is what its report of progress is: a text, or the output of a command. */
export function progressText(update: unknown): string | undefined {
  if (typeof update === "string") return update;
  const isPrinted = isPlainObject(update) && update.type === "output" && typeof update.text === "string";
  return isPrinted ? (update.text as string) : undefined;
}
