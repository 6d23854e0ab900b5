import type { Task, Todo } from "./tasks.ts";

/** A task as a todo. */
export function toTodo({
  id,
  title,
  description,
  status,
  assignee,
  notes,
  createdAt,
  updatedAt,
}: Omit<Task, "blockedBy">): Todo {
  return {
    id,
    title,
    ...(description !== undefined && { description }),
    status: status === "done" ? "completed" : status,
    ...(assignee !== undefined && { assignee }),
    ...(notes !== undefined && { notes }),
    createdAt,
    updatedAt,
  };
}
