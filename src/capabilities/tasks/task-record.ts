import type { KeptKind } from "../../kernel/store/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { type Task, type TaskStatus, taskStatuses } from "../../tool/services/tasks.ts";

/** A task as it is stored. */
export interface TaskRecord extends Omit<Task, "blockedBy"> {
  /** Position in the list. */
  readonly position: number;
}

/** The tasks of a list, by their ids. */
export type TaskRecords = ReadonlyMap<string, TaskRecord>;

export const taskRecords: KeptKind<TaskRecord> = {
  scope: "tasks",
  isValue: isRecord,
  replay(values, event) {
    if (event.type !== "todo-change") return;
    for (const changed of listOf(event.changed)) {
      const { blockedBy: _blockedBy, ...task } = { ...changed };
      const position = values.get(task.id)?.position ?? ([...values.values()].at(-1)?.position ?? 0) + 1;
      const record = { ...task, position };
      if (isRecord(record)) values.set(record.id, record);
    }
    for (const id of listOf(event.removed)) values.delete(id);
  },
};

/** The list; an empty one if a log that was written by hand has something else in its place. */
function listOf<Item>(value: readonly Item[]): readonly Item[] {
  return Array.isArray(value) ? value : [];
}

export function inListOrder(records: TaskRecords): readonly TaskRecord[] {
  return [...records.values()].sort(byPosition);
}

function isRecord(value: unknown): value is TaskRecord {
  return (
    isPlainObject(value) &&
    typeof value.id === "string" &&
    typeof value.title === "string" &&
    taskStatuses.includes(value.status as TaskStatus) &&
    Array.isArray(value.dependsOn) &&
    typeof value.position === "number"
  );
}

/** Two processes may have assigned the same position; then the id makes the order stable. */
function byPosition(one: TaskRecord, other: TaskRecord): number {
  return one.position - other.position || (one.id < other.id ? -1 : 1);
}

/** Adds to a task the ids of the tasks that still block it. */
export function toTask({ position: _position, ...record }: TaskRecord, records: TaskRecords): Task {
  return { ...record, blockedBy: blockersOf(record, records) };
}

/** The ids of the tasks that have to be done first, and are not. */
export function blockersOf({ dependsOn }: Pick<TaskRecord, "dependsOn">, records: TaskRecords): string[] {
  return dependsOn.filter((id) => records.get(id)?.status !== "done");
}
