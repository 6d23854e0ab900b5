import { oneLine } from "../../../shared/text/one-line.ts";
import { maxTitleCharacters, type Todo, type TodoStatus } from "../../../tool/services/tasks.ts";

const marks: Record<TodoStatus, string> = {
  pending: "[ ]",
  in_progress: "[>]",
  completed: "[x]",
  failed: "[!]",
  cancelled: "[-]",
};

/** One line for each todo, and below it what `detailsOf` gives. */
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
