import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import type { Task } from "../../tool/tasks.ts";

/** A todo as KODE's events have it. */
export interface KodeTodo {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly assignee?: string;
  readonly notes?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The list of todos, made of the changes that a log tells of. */
export interface KodeTodos {
  change(event: Extract<LoggedEvent, { type: "todo_changed" }>): {
    readonly current: readonly KodeTodo[];
    readonly previous: readonly KodeTodo[];
  };
  open(): readonly KodeTodo[];
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

function toKode({ id, title, status, assignee, notes, createdAt, updatedAt }: Task): KodeTodo {
  return {
    id,
    title,
    status: status === "done" ? "completed" : status,
    ...(assignee !== undefined && { assignee }),
    ...(notes !== undefined && { notes }),
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(updatedAt),
  };
}
