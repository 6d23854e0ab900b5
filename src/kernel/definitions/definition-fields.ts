import { DocumentError } from "../../shared/front-matter/document-error.ts";
import type { FrontMatter } from "../../shared/front-matter/read-front-matter.ts";
import { cleanLine } from "../../shared/text/one-line.ts";

/** The required description: one line that the model chooses by. */
export function readDescription({ fields }: FrontMatter): string {
  const field = fields.get("description");
  if (field !== undefined && field.kind !== "text")
    throw new DocumentError(field.line, "the description must be a string; put it in quotes");
  const description = toDescription(field?.text ?? "");
  if (description !== "") return description;
  throw new DocumentError(
    1,
    'the front matter has no description; add a line "description:" that says when to use it',
  );
}

export function toDescription(text: string): string {
  return cleanLine(text, maxDescriptionCharacters);
}

const maxDescriptionCharacters = 1024;

/** Whether a name is plain: it cannot be taken for a path, an option or two lines. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._ -]{0,63}$/u.test(name);
}

export const plainNameRule =
  "must start with a letter or digit and have at most 64 characters: letters, digits, spaces, . _ and -";
