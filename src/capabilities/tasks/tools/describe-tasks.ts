import { oneLine } from "../../../shared/text/one-line.ts";
import {
  type BackgroundWork,
  maxTitleCharacters,
  type Task,
  type Todo,
  type TodoStatus,
} from "../../../tool/services/tasks.ts";

export function describeTask({ id, title, status, blockedBy }: Task): string {
  const blocked = blockedBy.length === 0 ? "" : ` (blocked by ${blockedBy.join(", ")})`;
  return `${id} [${status}] ${oneLine(title, maxTitleCharacters)}${blocked}`;
}

export function describeWork({ kind, id, title, status, note }: BackgroundWork): string {
  const noted = note === undefined ? "" : ` (${oneLine(note, maxTitleCharacters)})`;
  return `${id} [${status}] ${kind}: ${oneLine(title, maxTitleCharacters)}${noted}`;
}

const marks: Record<TodoStatus, string> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  failed: "[!]",
  cancelled: "[-]",
};

/** One line for each todo, and below it the lines that `detailsOf` gives. */
export function describeTodos(
  todos: readonly Todo[],
  detailsOf: (todo: Todo) => readonly string[] = () => [],
): string {
  if (todos.length === 0) return "No todos.";
  return todos
    .flatMap((todo) => {
      const { id, title, status } = todo;
      return [`${marks[status]} ${id}: ${oneLine(title, maxTitleCharacters)}`, ...detailsOf(todo)];
    })
    .join("\n");
}

/** The description and the notes of an entry, indented below it, and never cut: a model has no other way to read them. */
export function describeDetails({ description, notes }: { description?: string; notes?: string }): string[] {
  return [
    ...(description === undefined ? [] : indent(description)),
    ...(notes === undefined ? [] : indent(`Notes: ${notes}`)),
  ];
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `    ${line}`.trimEnd());
}
