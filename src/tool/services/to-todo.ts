import { defined } from "../../shared/options/defined.ts";
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
    ...defined({ description }),
    status: status === "done" ? "completed" : status,
    ...defined({ assignee, notes }),
    createdAt,
    updatedAt,
  };
}
