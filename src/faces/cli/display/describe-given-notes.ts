import type { GivenNote } from "../../../kernel/events/index.ts";
import { countOf } from "../../../shared/text/count-of.ts";

/** Names each file of the project that the model is given unasked, in a line. */
export function describeGivenNotes(notes: readonly GivenNote[] = []): string[] {
  return notes.map(({ path, characters, isCut }) => {
    const size = `${isCut ? "its first " : ""}${countOf(characters, "character")}`;
    return `the model is given ${path} (${size})`;
  });
}
