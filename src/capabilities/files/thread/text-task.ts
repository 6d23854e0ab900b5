import type { LineSpan } from "../../../shared/diff/changed-spans.ts";
import { type DiffPreview, formatSpans, type SpanFormat } from "../../../shared/diff/format-spans.ts";
import { applyEdits, type EditsOutcome } from "../edit/apply-edits.ts";
import type { TextEdit } from "../edit/edit-text.ts";
import { loadCompareLines } from "../fit/line-step.ts";
import { applyUpdate, type UpdateOutcome } from "../patch/apply-patch.ts";
import type { PatchChunk } from "../patch/patched-change.ts";

/** Work on texts that takes the longer, the longer they are. */
export type TextTask =
  | {
      readonly kind: "edit";
      readonly text: string;
      readonly edits: readonly TextEdit[];
      readonly path: string;
    }
  | {
      readonly kind: "patch";
      readonly text: string;
      readonly chunks: readonly PatchChunk[];
      readonly path: string;
    }
  | { readonly kind: "diff"; readonly spans: readonly LineSpan[]; readonly format: SpanFormat };

export type TextOutcome<Task extends TextTask> = {
  readonly edit: EditsOutcome;
  readonly patch: UpdateOutcome;
  readonly diff: DiffPreview;
}[Task["kind"]];

/** Loads what the task needs, and then keeps the thread until it is done. */
export async function performTextTask(task: TextTask): Promise<TextOutcome<TextTask>> {
  switch (task.kind) {
    case "edit": {
      const context = { path: task.path, compareLines: await loadCompareLines() };
      return applyEdits(task.text, task.edits, context);
    }
    case "patch":
      return applyUpdate(task.text, task.chunks, { path: task.path });
    case "diff":
      return formatSpans(task.spans, task.format);
  }
}
