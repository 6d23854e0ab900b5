import { acting, type BackgroundSource } from "../../kernel/services/index.ts";
import { randomUUID } from "../../shared/crypto.ts";
import { isoTime } from "../../shared/iso-time.ts";
import { createLock } from "../../shared/lock.ts";
import { defined } from "../../shared/options/defined.ts";
import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
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
import { checkMove, checkReady, checkTitle } from "./check-task.ts";
import { replaceTodos } from "./replace-todos.ts";
import { inListOrder, type TaskRecord, type TaskRecords, toTask } from "./task-record.ts";

export interface TaskListOptions {
  /** Reads all stored records by id. */
  read(): Promise<TaskRecords>;
  /** Resolves when the change is stored. */
  write(change: TaskListChange): Promise<void>;
  /** Sources of background work. */
  readonly background: readonly BackgroundSource[];
}

export interface TaskListChange {
  readonly changed: readonly TaskRecord[];
  /** The changed tasks, as the event tells them. */
  readonly told: readonly Task[];
  /** Ids. */
  readonly removed: readonly string[];
}

/**
 * Creates a list with two interfaces, for tasks and for todos. Listing reads the store; a change is made to the list as it was read first, because only
 * the process that owns the session changes it.
 */
export function createTaskList({ read, write, background }: TaskListOptions) {
  // One change at a time, so that none is based on an outdated list.
  const inTurn = createLock();
  const readAll = async () => inListOrder(await read());
  /** The tasks by id, in the order of the list. */
  let known = new Map<string, TaskRecord>();
  let isKnown = false;
  const load = async (): Promise<TaskRecords> => {
    if (!isKnown) known = byId(await readAll());
    isKnown = true;
    return known;
  };
  const store = async (change: TaskListChange): Promise<void> => {
    // A change that fails may be stored nevertheless.
    isKnown = false;
    await write(change);
    isKnown = true;
  };
  /** Changes one task, or adds it at the end. */
  const put = (make: (records: TaskRecords) => TaskRecord) =>
    inTurn(async () => {
      const records = await load();
      const record = make(records);
      const task = toTask(record, records);
      if (record === records.get(record.id)) return task;
      await store({ changed: [record], told: [task], removed: [] });
      known.set(record.id, record);
      return task;
    });
  const replace = (makeNext: (records: readonly TaskRecord[]) => readonly TaskRecord[]) =>
    inTurn(async () => {
      const records = await load();
      const next = makeNext([...records.values()]);
      const after = byId(next);
      const changed = next.filter((record) => isChanged(records.get(record.id), record));
      const removed = [...records.keys()].filter((id) => !after.has(id));
      if (changed.length + removed.length === 0) return next;
      await store({ changed, told: changed.map((record) => toTask(record, after)), removed });
      known = after;
      return next;
    });

  const tasks: Tasks = {
    list: async () => {
      const records = await read();
      return inListOrder(records).map((record) => toTask(record, records));
    },
    background: async () => (await Promise.all(background.map((source) => source.list()))).flat(),
    ...acting({
      create: (task: NewTask) => put((records) => newRecord(task, records)),
      update: (id: string, changes: TaskChange) => put((records) => updated(records, id, changes)),
      async cancelBackground(id: string) {
        const { source } = await findWork(background, id);
        await source.cancel(id);
        return (await findWork(background, id)).work;
      },
    }),
  };
  const todos: Todos = {
    list: async () => (await readAll()).map(toTodo),
    ...acting({
      async write(todos: readonly NewTodo[]) {
        const next = await replace((records) =>
          replaceTodos(records, todos, { now: isoTime(), newId: freeId }),
        );
        return next.map(toTodo);
      },
    }),
  };
  return {
    tasks,
    todos,
    /** Reads the list, unless it is known. */
    load: () => inTurn(load),
    /** The records that were read last, with the changes since, in order. */
    known: () => known.values(),
    /** Brings the list back to these records of an earlier time. */
    async restore(wanted: readonly TaskRecord[]): Promise<void> {
      await replace(() => wanted.map((record, index) => ({ ...record, position: index + 1 })));
    },
  };
}

function byId(records: readonly TaskRecord[]): Map<string, TaskRecord> {
  return new Map(records.map((record) => [record.id, record]));
}

function newRecord({ title, description, dependsOn = [] }: NewTask, records: TaskRecords): TaskRecord {
  checkTitle(title);
  const now = isoTime();
  const record: TaskRecord = {
    id: freeId(records),
    title,
    ...defined({ description }),
    status: "pending",
    dependsOn: [...new Set(dependsOn)],
    position: ([...records.values()].at(-1)?.position ?? 0) + 1,
    createdAt: now,
    updatedAt: now,
  };
  checkDependencies(record, records);
  return record;
}

/** A random id and not a number, so that the id of a removed task does not soon mean another task. */
function freeId(taken: Pick<ReadonlySet<string>, "has">): string {
  const id = `task_${randomUUID().slice(0, 6)}`;
  return taken.has(id) ? freeId(taken) : id;
}

/** The task with its changes; the same record if nothing changes. */
function updated(records: TaskRecords, id: string, { status, dependsOn, notes }: TaskChange): TaskRecord {
  const old = records.get(id);
  if (old === undefined) throw unknownTask(id, records);
  if (status !== undefined) checkMove(old, status);
  const changed: TaskRecord = {
    ...old,
    ...defined({ status, dependsOn: dependsOn && [...new Set(dependsOn)], notes }),
  };
  if (!isChanged(old, changed)) return old;
  if (dependsOn !== undefined) checkDependencies(changed, records);
  checkReady([changed], records);
  return { ...changed, updatedAt: isoTime() };
}

function isChanged(old: TaskRecord | undefined, record: TaskRecord): boolean {
  return old !== record && (old === undefined || JSON.stringify(old) !== JSON.stringify(record));
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

/** Refuses dependencies on missing tasks, and cycles. */
function checkDependencies(task: TaskRecord, records: TaskRecords): void {
  for (const id of task.dependsOn) if (id !== task.id && !records.has(id)) throw unknownTask(id, records);
  const way = findWayBack(task, records);
  if (way === undefined) return;
  throw new ToolError("invalid-input", `${task.id} would depend on itself: ${describeWay(way)}`, {
    hint: "Remove one of these dependencies.",
  });
}

function unknownTask(id: string, records: TaskRecords): ToolError {
  const nearest = nearestNames(id, records.keys());
  const hint = didYouMean(nearest, "List the tasks to see their ids.");
  return new ToolError("not-found", `there is no task ${JSON.stringify(id)}`, { hint });
}

/** The path of dependencies from the task back to itself, if any. Not recursive, because chains may be very long. */
function findWayBack(task: TaskRecord, byId: TaskRecords): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [task.id];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const next = id === task.id ? task.dependsOn : (byId.get(id)?.dependsOn ?? []);
    if (next.includes(task.id)) return [...wayTo(id, cameFrom), task.id];
    for (const each of next) {
      if (cameFrom.has(each)) continue;
      cameFrom.set(each, id);
      open.push(each);
    }
  }
  return undefined;
}

function wayTo(id: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [id];
  for (let each = cameFrom.get(id); each !== undefined; each = cameFrom.get(each)) way.unshift(each);
  return way;
}

const maxNamed = 10;

function describeWay(way: readonly string[]): string {
  const named = way.length > maxNamed ? [...way.slice(0, maxNamed - 2), "…", ...way.slice(-2)] : way;
  return named.join(" → ");
}
