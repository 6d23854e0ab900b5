import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";

const maxIdCharacters = 100;

/** An id is one word or a few, so that it can be named in a line as it is. */
export function checkId(id: string): void {
  const isShort = id.trim() !== "" && id.length <= maxIdCharacters;
  if (isShort && escapeLine(id) === id) return;
  throw new ToolError(
    "invalid-input",
    `an id must have 1 to ${maxIdCharacters} characters, no line breaks and nothing invisible; received "${escapeLine(id.slice(0, 200))}"`,
  );
}

export function checkTitle(title: string): void {
  if (title.trim() === "") throw new ToolError("invalid-input", "a title must say something; it is blank");
}
