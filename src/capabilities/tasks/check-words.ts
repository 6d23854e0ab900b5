import { escapeLine } from "../../shared/text/escape-controls.ts";
import { ToolError } from "../../tool/tool-error.ts";

const maxIdCharacters = 100;

/** An id must be short and printable, so that it can be shown unquoted in a line. */
export function checkId(id: string): void {
  const isShort = id.trim() !== "" && id.length <= maxIdCharacters;
  if (isShort && escapeLine(id) === id) return;
  throw new ToolError(
    "invalid-input",
    `an id must have 1 to ${maxIdCharacters} characters, without line breaks or invisible characters; received "${escapeLine(id.slice(0, 200))}"`,
  );
}

export function checkTitle(title: string): void {
  if (title.trim() === "") throw new ToolError("invalid-input", "the title must not be blank");
}
