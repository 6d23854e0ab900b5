import { ToolError } from "../../tool/tool-error.ts";

const maxIdCharacters = 100;

/** An id is one word or a few, so that it can be named in a line. */
export function checkId(id: string): void {
  const isPlain = id.trim() !== "" && id.length <= maxIdCharacters && !/\p{Cc}|\p{Cs}/u.test(id);
  if (isPlain) return;
  throw new ToolError(
    "invalid-input",
    `an id must have 1 to ${maxIdCharacters} characters and no line breaks; received ${JSON.stringify(id.slice(0, 200))}`,
  );
}

export function checkTitle(title: string): void {
  if (title.trim() === "") throw new ToolError("invalid-input", "a title must say something; it is blank");
}
