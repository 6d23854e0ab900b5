import { askThread } from "../../../machine/child/index.ts";
import { entryFile } from "../../../shared/entry-file.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { TextOutcome, TextTask } from "./text-task.ts";

/** Works on a text in a separate thread, with limits on time and memory. */
export function performInThread(
  task: TextTask,
  signal: AbortSignal | undefined,
): Promise<TextOutcome<TextTask>> {
  const file = entryFile(import.meta.url, { source: "text-main.ts", built: "text" });
  return askThread(file, task, { signal, timeoutMs: 60_000, maxHeapMb: 2048, tooMuch });
}

function tooMuch(limit: string): ToolError {
  return new ToolError("too-large", `the change could not be worked out ${limit}`, {
    hint: "Nothing was changed. Make smaller changes, or use a program such as sed.",
  });
}
