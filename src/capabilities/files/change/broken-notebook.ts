import { isNotebookPath } from "../../../shared/notebook/parse-notebook.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** Refuses a change to a part of a notebook's text that leaves no valid JSON where there was some. */
export function refuseBrokenNotebook(name: string, before: string, after: string): void {
  if (!isNotebookPath(name)) return;
  const cause = jsonErrorOf(after);
  if (cause === undefined || jsonErrorOf(before) !== undefined) return;
  throw new ToolError("conflict", `${name} would no longer be valid JSON, so no program could open it`, {
    hint: "Change the cell instead of the JSON around it, or write the whole file.",
    cause,
  });
}

function jsonErrorOf(text: string): SyntaxError | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}
