import { oneLine } from "../../../shared/text/one-line.ts";
import { type BackgroundWork, maxTitleCharacters, type Task } from "../../../tool/services/tasks.ts";

export function describeTask({ id, title, status, blockedBy }: Task): string {
  const blocked = blockedBy.length === 0 ? "" : ` (blocked by ${blockedBy.join(", ")})`;
  return `${id} [${status}] ${oneLine(title, maxTitleCharacters)}${blocked}`;
}

export function describeWork({ kind, id, title, status, note }: BackgroundWork): string {
  const noted = note === undefined ? "" : ` (${oneLine(note, maxTitleCharacters)})`;
  return `${id} [${status}] ${kind}: ${oneLine(title, maxTitleCharacters)}${noted}`;
}
