import { oneLine } from "../../shared/text/one-line.ts";
import { maxTitleCharacters, type Task } from "../../tool/services/tasks.ts";

const maxNamed = 10;

/** Lists the open tasks as a reminder, in order; undefined if there are none. */
export function describeOpen(tasks: readonly Task[]): string | undefined {
  const open = tasks.filter(isOpen);
  if (open.length === 0) return undefined;
  const lines = open
    .slice(0, maxNamed)
    .map(({ id, title, status }) => `- [${status}] ${id}: ${oneLine(title, maxTitleCharacters)}`);
  const more = open.length > maxNamed ? [`- … and ${open.length - maxNamed} more`] : [];
  return [`${open.length} still to do:`, ...lines, ...more].join("\n");
}

export function isOpen({ status }: Pick<Task, "status">): boolean {
  return status === "pending" || status === "in_progress";
}
