import type { LoggedEventOf } from "../../../kernel/events/session-event.ts";
import type { Task, Todo } from "../../../tool/services/tasks.ts";
import { toTodo } from "../../../tool/services/to-todo.ts";

/** The list of todos, rebuilt from the changes in a log. */
export interface KodeTodos {
  change(event: LoggedEventOf<"todo-change">): {
    readonly current: readonly KodeTodo[];
    readonly previous: readonly KodeTodo[];
  };
  open(): readonly KodeTodo[];
}

/** A todo in KODE's events. */
interface KodeTodo extends Omit<Todo, "createdAt" | "updatedAt"> {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export function createKodeTodos(): KodeTodos {
  const todos = new Map<string, KodeTodo>();
  return {
    change({ changed, removed }) {
      const previous = [...todos.values()];
      for (const id of removed) todos.delete(id);
      for (const task of changed) todos.set(task.id, toKode(task));
      return { current: [...todos.values()], previous };
    },
    open: () => [...todos.values()].filter(({ status }) => status === "pending" || status === "in_progress"),
  };
}

function toKode(task: Task): KodeTodo {
  const todo = toTodo(task);
  return { ...todo, createdAt: Date.parse(todo.createdAt), updatedAt: Date.parse(todo.updatedAt) };
}
