import { defined } from "../../shared/options/defined.ts";
import type { NewTodo, TaskStatus, TodoStatus } from "../../tool/services/tasks.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { checkId, checkReady, checkStatus, checkTitle } from "./check-task.ts";
import type { TaskRecord } from "./task-record.ts";

export interface ReplaceOptions {
  /** ISO 8601. */
  readonly now: string;
  /** Returns an id that is not taken. */
  newId(taken: ReadonlySet<string>): string;
}

/** Replaces the list by the todos. A task with the same id keeps its description, dependencies and creation time. */
export function replaceTodos(
  records: readonly TaskRecord[],
  todos: readonly NewTodo[],
  { now, newId }: ReplaceOptions,
): readonly TaskRecord[] {
  const before = new Map(records.map((record) => [record.id, record]));
  const taken = new Set([...before.keys(), ...todos.flatMap(({ id }) => id ?? [])]);
  const named = todos.map((todo) => {
    const id = todo.id ?? newId(taken);
    taken.add(id);
    return { ...todo, id };
  });
  checkTodos(named);
  const ids = new Set(named.map(({ id }) => id));
  const after = named.map((todo, index) => {
    const old = before.get(todo.id);
    const record = toRecord(todo, { old, position: index + 1, now });
    // Drops dependencies on removed tasks.
    const dependsOn = record.dependsOn.filter((id) => ids.has(id));
    return old !== undefined && isSame(old, { ...record, dependsOn })
      ? { ...old, position: record.position }
      : { ...record, dependsOn };
  });
  checkReady(
    after.filter(({ id, status }) => before.get(id)?.status !== status),
    new Map(after.map((record) => [record.id, record])),
  );
  return after;
}

function checkTodos(todos: readonly (NewTodo & { readonly id: string })[]): void {
  const ids = new Set<string>();
  for (const { id, title, status = "pending" } of todos) {
    checkId(id);
    checkTitle(title);
    checkStatus(toTaskStatus(status));
    if (ids.has(id)) throw new ToolError("invalid-input", `two todos have the id ${JSON.stringify(id)}`);
    ids.add(id);
  }
  const begun = todos.filter(({ status }) => status === "in_progress").map(({ id }) => id);
  if (begun.length <= 1) return;
  throw new ToolError(
    "invalid-input",
    `only one todo may be in progress, not ${begun.length}: ${begun.join(", ")}`,
    { hint: "Set the others to pending." },
  );
}

function toRecord(
  { id, title, status = "pending", assignee, notes }: NewTodo & { readonly id: string },
  { old, position, now }: { old: TaskRecord | undefined; position: number; now: string },
): TaskRecord {
  return {
    id,
    title,
    status: toTaskStatus(status),
    dependsOn: old?.dependsOn ?? [],
    position,
    ...defined({ description: old?.description, assignee, notes }),
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
  };
}

function toTaskStatus(status: TodoStatus): TaskStatus {
  return status === "completed" ? "done" : status;
}

function isSame(old: TaskRecord, record: TaskRecord): boolean {
  return (
    old.title === record.title &&
    old.status === record.status &&
    old.assignee === record.assignee &&
    old.notes === record.notes &&
    old.dependsOn.length === record.dependsOn.length
  );
}
