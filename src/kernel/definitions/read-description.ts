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
