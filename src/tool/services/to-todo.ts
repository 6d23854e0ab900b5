import { defined } from "../../shared/options/defined.ts";
import type { Task, Todo } from "./tasks.ts";

/** A task as a todo. */
export function toTodo(task: Omit<Task, "blockedBy">): Todo {
  const { id, title, description, assignee, notes, createdAt, updatedAt } = task;
  const status = task.status === "done" ? "completed" : task.status;
  return {
    id,
    title,
    ...defined({ description }),
    status,
    ...defined({ assignee, notes }),
    createdAt,
    updatedAt,
  };
}
