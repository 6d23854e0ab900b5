import { oneLine } from "../shared/one-line.ts";
import { maxTitleCharacters, type Todo, type TodoStatus } from "../tool/tasks.ts";

const marks: Record<TodoStatus, string> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  failed: "[!]",
  cancelled: "[-]",
};

export function describeTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return "There are no todos.";
  return todos
    .map(({ id, title, status }) => `${marks[status]} ${id}: ${oneLine(title, maxTitleCharacters)}`)
    .join("\n");
}
