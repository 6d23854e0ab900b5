import { quoteControls } from "../shared/quote-controls.ts";
import type { BackgroundWork, Task } from "../tool/tasks.ts";

export function describeTask({ id, title, status, blockedBy }: Task): string {
  const waits = blockedBy.length === 0 ? "" : ` (waits for ${blockedBy.join(", ")})`;
  return `${id} [${status}] ${quoteControls(title)}${waits}`;
}

export function describeWork({ kind, id, title, status, note }: BackgroundWork): string {
  return `${id} [${status}] ${kind}: ${quoteControls(title)}${note === undefined ? "" : ` (${note})`}`;
}
