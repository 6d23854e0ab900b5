/**
 * The session's task list. Tasks and todos are the same list: tasks are updated one by one, todos are replaced as a
 * whole.
 */
export interface Tasks {
  list(): Promise<readonly Task[]>;
  create(task: NewTask): Promise<Task>;
  /** A blocked task can be neither started nor done; a task that is done stays done. */
  update(id: string, change: TaskChange): Promise<Task>;
  /** Background jobs and sub-agents, which are listed with the tasks. */
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
  /** Ids of tasks that must be done first. */
  readonly dependsOn: readonly string[];
  /** Those of `dependsOn` that are not done yet. */
  readonly blockedBy: readonly string[];
  readonly assignee?: string;
  readonly notes?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Longer titles are cut in lists. */
export const maxTitleCharacters = 500;

export interface NewTask {
  readonly title: string;
  readonly description?: string;
  readonly dependsOn?: readonly string[];
}

export interface TaskChange {
  readonly status?: TaskStatus;
  /** Replaces the current dependencies. */
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
  /** Details of its progress or end. */
  readonly note?: string;
}

/** The list of todos as a whole. */
export interface Todos {
  list(): Promise<readonly Todo[]>;
  /** Replaces the list; todos left out are removed. Ids must be unique, and at most one todo may be in progress. */
  write(todos: readonly NewTodo[]): Promise<readonly Todo[]>;
}

export const todoStatuses = ["pending", "in_progress", "completed", "failed", "cancelled"] as const;
export type TodoStatus = (typeof todoStatuses)[number];

export interface Todo {
  readonly id: string;
  readonly title: string;
  /** Given when it was created as a task. */
  readonly description?: string;
  readonly status: TodoStatus;
  readonly assignee?: string;
  readonly notes?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NewTodo {
  /** The id of an existing todo keeps its other data; without an id a new todo is created. */
  readonly id?: string;
  readonly title: string;
  readonly status?: TodoStatus;
  readonly assignee?: string;
  readonly notes?: string;
}
