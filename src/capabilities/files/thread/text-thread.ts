import type { Texts } from "../../../shared/diff/changed-spans.ts";
import type { DiffPreview } from "../../../shared/diff/format-spans.ts";
import { type DiffOptions, unifiedDiff } from "../../../shared/diff/text-diff.ts";
import { performTextTask, type TextOutcome, type TextTask } from "./text-task.ts";

/**
 * Works on texts in this thread if they are short, and otherwise in another one, so that other calls do not have to
 * wait.
 */
export async function workOnText<Task extends TextTask>(
  task: Task,
  signal?: AbortSignal,
): Promise<TextOutcome<Task>> {
  if (isQuick(task)) return performTextTask(task) as Promise<TextOutcome<Task>>;
  // Loaded with the first long text.
  const { performInThread } = await import("./perform-in-thread.ts");
  return performInThread(task, signal) as Promise<TextOutcome<Task>>;
}

/** A unified diff of two texts. */
export function diffTexts(
  path: string,
  { before, after }: Texts,
  options: Pick<DiffOptions, "maxLines" | "within"> = {},
): Promise<DiffPreview> {
  const format: DiffOptions["format"] = (spans, wanted) =>
    workOnText({ kind: "diff", spans, format: wanted });
  return unifiedDiff(path, before, after, { ...options, format });
}

// Takes a few hundredths of a second, whatever the text.
const maxQuickCharacters = 200_000;

function isQuick(task: TextTask): boolean {
  switch (task.kind) {
    case "edit":
      return (
        lengthOf(
          task.edits,
          ({ oldText, newText }) => Math.max(task.text.length, oldText.length) + newText.length,
        ) <= maxQuickCharacters || isPlainEdit(task)
      );
    case "patch":
      return (
        lengthOf(task.chunks, ({ lines }) => task.text.length + lengthOf(lines, ({ text }) => text.length)) <=
        maxQuickCharacters
      );
    case "diff":
      return lengthOf(task.spans, ({ before, after }) => before.length + after.length) <= maxQuickCharacters;
  }
}

function lengthOf<Item>(items: readonly Item[], length: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + length(item), 0);
}

/** One text that occurs once: nearly every edit, and quicker to make in a long text than to send it anywhere. */
function isPlainEdit({ text, edits }: Extract<TextTask, { kind: "edit" }>): boolean {
  const [edit] = edits;
  if (edit === undefined || edits.length > 1 || edit.oldText === "" || edit.replaceAll) return false;
  if (edit.oldText.length + edit.newText.length > maxQuickCharacters || text.includes("\r")) return false;
  const at = text.indexOf(edit.oldText);
  return at !== -1 && text.indexOf(edit.oldText, at + 1) === -1;
}
