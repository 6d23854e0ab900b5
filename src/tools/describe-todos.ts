import { oneLine } from "../shared/text/one-line.ts";
import { maxTitleCharacters, type Todo, type TodoStatus } from "../tool/services/tasks.ts";

const marks: Record<TodoStatus, string> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  failed: "[!]",
  cancelled: "[-]",
};

export function describeTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return "No todos.";
  return todos
    .map(({ id, title, status }) => `${marks[status]} ${id}: ${oneLine(title, maxTitleCharacters)}`)
    .join("\n");
}
