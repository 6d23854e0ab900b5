import type { BigIntStats } from "node:fs";
import { lstatNow } from "../../../machine/locks/index.ts";
import { fileStamp } from "../../../shared/files/file-stamp.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** Looks at a path, and throws unless it still has the stamp that was seen; an empty one means that nothing was there. */
export function requireStamp(
  place: string,
  { expected, shownPath }: { expected?: string | undefined; shownPath: string },
): BigIntStats | undefined {
  const stats = lstatNow(place, { bigint: true, throwIfNoEntry: false });
  const found = stats === undefined ? "" : fileStamp(stats);
  if (expected !== undefined && found !== expected) throw changedMeanwhile(shownPath);
  return stats;
}

export function changedMeanwhile(shownPath: string): ToolError {
  return new ToolError("stale-file", `${shownPath} was changed by someone else in the meantime`, {
    hint: "It was left as it is now. Read it again, then make your change.",
    retryable: true,
  });
}
