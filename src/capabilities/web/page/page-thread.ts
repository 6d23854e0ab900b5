import { askThread } from "../../../machine/child/index.ts";
import { entryFile } from "../../../shared/entry-file.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ConvertedPage, PageTask } from "./page-main.ts";

/**
 * Converts in a thread with limits on time and memory: whatever a hostile page does to a parser, this process stays
 * responsive.
 */
export function convertInThread(
  task: PageTask,
  { signal, timeoutMs = 15_000 }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<ConvertedPage> {
  const file = entryFile(import.meta.url, { source: "page-main.ts", built: "page" });
  return askThread(file, task, { signal, timeoutMs, maxHeapMb: 256, tooMuch: tooComplex });
}

function tooComplex(limit: string): ToolError {
  return new ToolError("too-large", `the page could not be converted ${limit}`, {
    hint: "Download it to a file and search that file instead.",
  });
}
