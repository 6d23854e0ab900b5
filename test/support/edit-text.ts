import {
  applyEdits as applyEditsWith,
  type EditsOutcome,
} from "../../src/capabilities/files/edit/apply-edits.ts";
import {
  type EditOutcome,
  editText as editTextWith,
  type TextEdit,
} from "../../src/capabilities/files/edit/edit-text.ts";
import { loadCompareLines } from "../../src/capabilities/files/fit/line-step.ts";

const compareLines = await loadCompareLines();

export function editText(text: string, edit: TextEdit, { path }: { path?: string } = {}): EditOutcome {
  return editTextWith(text, edit, { ...(path !== undefined && { path }), compareLines });
}

export function applyEdits(
  text: string,
  edits: readonly TextEdit[],
  { path }: { path?: string } = {},
): EditsOutcome {
  return applyEditsWith(text, edits, { ...(path !== undefined && { path }), compareLines });
}
