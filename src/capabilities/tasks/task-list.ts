import type { BackgroundSource } from "../../kernel/services/background.ts";
import { acting } from "../../kernel/services/service.ts";
import { randomUUID } from "../../shared/crypto.ts";
import { isoTime } from "../../shared/iso-time.ts";
import { createLock } from "../../shared/lock.ts";
import type {
  BackgroundWork,
  NewTask,
  NewTodo,
  Task,
  TaskChange,
  Tasks,
  Todos,
} from "../../tool/services/tasks.ts";
import { toTodo } from "../../tool/services/to-todo.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { checkDependencies, unknownTask } from "./check-dependencies.ts";
import { checkMove, checkReady } from "./check-status.ts";
import { checkTitle } from "./check-words.ts";
import { replaceTodos } from "./replace-todos.ts";
import { inListOrder, type TaskRecord, toTasks } from "./task-record.ts";

export interface TaskListOptions {
  /** Reads all stored records by id, including those other processes have written since. */
  read(): Promise<ReadonlyMap<string, TaskRecord>>;
  /** Resolves when the change is stored. */
  write(change: TaskListChange): Promise<void>;
  /** Sources of background work. */
  readonly background: readonly BackgroundSource[];
}

export interface TaskListChange {
  readonly changed: readonly TaskRecord[];
  /** Ids. */
  readonly removed: readonly string[];
  /** The whole list after the change. */
  readonly after: readonly Task[];
}

export interface TaskList {
  readonly tasks: Tasks;
  readonly todos: Todos;
  /** Makes the list what it was at another time. */
  restore(records: readonly TaskRecord[]): Promise<void>;
}

/** One list with two interfaces. It caches nothing: the store is the truth, and is read before every change. */
export function createTaskList({ read, write, background }: TaskListOptions): TaskList {
  // One change at a time, so that none is based on an outdated list.
  const inTurn = createLock();
  const readAll = async () => inListOrder(await read());
  const change = (makeNext: (records: readonly TaskRecord[]) => readonly TaskRecord[]) =>
    inTurn(async () => {
      const before = await readAll();
      const next = makeNext(before);
      const difference = compare(before, next);
      if (difference.changed.length + difference.removed.length === 0) return next;
      await write({ ...difference, after: toTasks(next) });
      return next;
    });

  return {
    async restore(wanted) {
      await change(() => wanted.map((record, index) => ({ ...record, position: index + 1 })));
    },
    tasks: {
      list: async () => toTasks(await readAll()),
      background: async () => (await Promise.all(background.map((source) => source.list()))).flat(),
      ...acting({
        async create(task: NewTask) {
          let id = "";
          const next = await change((records) => {
            const record = newRecord(task, records);
            id = record.id;
            return [...records, record];
          });
          return taskOf(next, id);
        },
        async update(id: string, changes: TaskChange) {
          return taskOf(await change((records) => withUpdate(records, id, changes)), id);
        },
        async cancelBackground(id: string) {
          const { source } = await findWork(background, id);
          await source.cancel(id);
          return (await findWork(background, id)).work;
        },
      }),
    },
    todos: {
      list: async () => (await readAll()).map(toTodo),
      ...acting({
        async write(todos: readonly NewTodo[]) {
          const next = await change((records) =>
            replaceTodos(records, todos, { now: isoTime(), newId: freeId }),
          );
          return next.map(toTodo);
        },
      }),
    },
  };
}

function newRecord(
  { title, description, dependsOn = [] }: NewTask,
  records: readonly TaskRecord[],
): TaskRecord {
  checkTitle(title);
  const now = isoTime();
  const record: TaskRecord = {
    id: freeId(new Set(records.map(({ id }) => id))),
    title,
    ...(description !== undefined && { description }),
    status: "pending",
    dependsOn: [...new Set(dependsOn)],
    position: (records.at(-1)?.position ?? 0) + 1,
    createdAt: now,
    updatedAt: now,
  };
  checkDependencies(record, records);
  return record;
}

/** Random, not counted: another process that has the session open may create a task at the same moment. */
function freeId(taken: ReadonlySet<string>): string {
  const id = `task_${randomUUID().slice(0, 6)}`;
  return taken.has(id) ? freeId(taken) : id;
}

function withUpdate(
  records: readonly TaskRecord[],
  id: string,
  { status, dependsOn, notes }: TaskChange,
): readonly TaskRecord[] {
  const old = records.find((record) => record.id === id);
  if (old === undefined) throw unknownTask(id, records);
  if (status !== undefined) checkMove(old, status);
  const changed: TaskRecord = {
    ...old,
    ...(status !== undefined && { status }),
    ...(dependsOn !== undefined && { dependsOn: [...new Set(dependsOn)] }),
    ...(notes !== undefined && { notes }),
  };
  if (isEqual(old, changed)) return records;
  const updated = { ...changed, updatedAt: isoTime() };
  const next = records.map((record) => (record === old ? updated : record));
  if (dependsOn !== undefined) checkDependencies(updated, next);
  checkReady(new Set([id]), next);
  return next;
}

function compare(
  before: readonly TaskRecord[],
  next: readonly TaskRecord[],
): Pick<TaskListChange, "changed" | "removed"> {
  const old = new Map(before.map((record) => [record.id, record]));
  const kept = new Set(next.map(({ id }) => id));
  return {
    changed: next.filter((record) => {
      const same = old.get(record.id);
      return same !== record && (same === undefined || !isEqual(same, record));
    }),
    removed: before.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  };
}

function isEqual(one: TaskRecord, other: TaskRecord): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function taskOf(records: readonly TaskRecord[], id: string): Task {
  return toTasks(records).find((task) => task.id === id)!;
}

async function findWork(
  sources: readonly BackgroundSource[],
  id: string,
): Promise<{ source: BackgroundSource; work: BackgroundWork }> {
  for (const source of sources) {
    const work = (await source.list()).find((each) => each.id === id);
    if (work !== undefined) return { source, work };
  }
  throw new ToolError("not-found", `there is no background job or agent ${JSON.stringify(id)}`);
}
