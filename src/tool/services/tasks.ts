/**
 * What is to be done. Tasks and todos are one list, kept with the session: tasks are worked with one by one, todos as a
 * whole.
 */
export interface Tasks {
  list(): Promise<readonly Task[]>;
  create(task: NewTask): Promise<Task>;
  /** A task that waits for others can neither begin nor be done; one that is done stays done. */
  update(id: string, change: TaskChange): Promise<Task>;
  /** What runs by itself beside the tasks: commands in the background, sub-agents. */
  background(): Promise<readonly BackgroundWork[]>;
  cancelBackground(id: string): Promise<BackgroundWork>;
}

export const taskStatuses = ["pending", "in_progress", "done", "failed", "cancelled"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly status: TaskStatus;
  /** Tasks that have to be done first. */
  readonly dependsOn: readonly string[];
  /** Those of them that are not done yet. */
  readonly blockedBy: readonly string[];
  readonly assignee?: string;
  readonly notes?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** In lists a longer title is cut. */
export const maxTitleCharacters = 500;

export interface NewTask {
  readonly title: string;
  readonly description?: string;
  readonly dependsOn?: readonly string[];
}

export interface TaskChange {
  readonly status?: TaskStatus;
  /** Takes the place of what it depended on before. */
  readonly dependsOn?: readonly string[];
  readonly notes?: string;
}

export interface BackgroundWork {
  readonly kind: "job" | "agent";
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** What else there is to know of how it goes or ended. */
  readonly note?: string;
}

/** The same list as a whole. */
export interface Todos {
  list(): Promise<readonly Todo[]>;
  /** Replaces the list. Ids must differ and at most one may be in progress; what is left out is removed. */
  write(todos: readonly NewTodo[]): Promise<readonly Todo[]>;
}

export const todoStatuses = ["pending", "in_progress", "completed", "failed", "cancelled"] as const;
export type TodoStatus = (typeof todoStatuses)[number];

export interface Todo {
  readonly id: string;
  readonly title: string;
  readonly status: TodoStatus;
  readonly assignee?: string;
  readonly notes?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NewTodo {
  /** That of a todo in the list keeps what is known of it; one is made where it is left out. */
  readonly id?: string;
  readonly title: string;
  readonly status?: TodoStatus;
  readonly assignee?: string;
  readonly notes?: string;
}
