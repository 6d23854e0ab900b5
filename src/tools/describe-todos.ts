import { quoteControls } from "../shared/quote-controls.ts";
import type { Todo, TodoStatus } from "../tool/tasks.ts";

const marks: Record<TodoStatus, string> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  failed: "[!]",
  cancelled: "[-]",
};

export function describeTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return "There are no todos.";
  return todos.map(({ id, title, status }) => `${marks[status]} ${id}: ${quoteControls(title)}`).join("\n");
}
