import {
  type BackgroundSource,
  methodKeys,
  type OpenService,
  type Service,
} from "../../kernel/services/index.ts";
import type { SessionKept, SessionLog } from "../../kernel/session/index.ts";
import { knownKeys, listOfShape, value } from "../../shared/options/known-keys.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import { maxTitleCharacters, type NewTodo, type Task, type Todos } from "../../tool/services/tasks.ts";
import { createTaskList, type TaskListChange } from "./task-list.ts";
import { taskRecords } from "./task-record.ts";

/** A session's todos, for the embedding program. */
export interface SessionTodos extends Todos {
  /** A reminder of open todos, written for a model; undefined if there are none. */
  reminder(): Promise<string | undefined>;
}

export interface TasksParts {
  readonly kept: SessionKept;
  readonly log: Pick<SessionLog, "note" | "commit">;
  readonly redactor: Redactor;
  readonly remindEveryCalls?: number | undefined;
  /** Background work that is listed with the tasks. */
  readonly background: readonly BackgroundSource[];
}

type OpenedTasks = Awaited<ReturnType<typeof openTasks>>;

const defaultRemindEveryCalls = 10;

/** A session's tasks, kept in its store; every change is written together with its event. */
export const tasksService: Service<"tasks", TasksParts, OpenedTasks> = {
  offers: "tasks",
  keys: methodKeys<"tasks">(
    {
      create: [0, { title: value, description: value, dependsOn: value }],
      update: [1, { status: value, dependsOn: value, notes: value }],
    },
    {},
  ),
  inPreview: "a preview changes no tasks",
  open: openTasks,
};

async function openTasks(parts: TasksParts) {
  const { log, redactor, remindEveryCalls = defaultRemindEveryCalls } = parts;
  const kept = parts.kept(taskRecords);
  const write = async ({ changed, told, removed }: TaskListChange): Promise<void> => {
    const shown = redactor.value(told) as readonly Task[];
    // Atomic and never retried: a change that was reported as failed must not take effect later.
    await log.commit({
      events: [{ type: "todo-change", changed: shown, removed }],
      variables: [
        ...changed.map((record) => kept.write(record.id, record)),
        ...removed.map((id) => kept.write(id)),
      ],
    });
    reminder.onChange();
  };
  const list = createTaskList({ read: kept.list, write, background: parts.background });
  const { tasks, restore } = list;
  const reminder = createReminder({
    everyCalls: remindEveryCalls,
    findOpen: () => [...list.known()].filter(isOpen),
    remind: ({ text, open }) => log.note({ type: "todo-reminder", text: redactor.text(text), open }),
  });
  const todos: SessionTodos = { ...list.todos, reminder: async () => describeOpen(await tasks.list()) };
  // Open tasks of an earlier run are reminded of too.
  await list.load();
  return {
    forCall: () => tasks,
    restore,
    /** Open tasks and running background work, in words; undefined if there is none. */
    async openWork(): Promise<string | undefined> {
      const running = (await tasks.background()).filter(isOpen);
      const lines = running.map(
        ({ kind, id, title }) => `- ${kind} ${id} is still running: ${oneLine(title, maxTitleCharacters)}`,
      );
      const parts = [describeOpen(await tasks.list()), ...lines].filter((part) => part !== undefined);
      return parts.length === 0 ? undefined : parts.join("\n");
    },
    tasks,
    todos,
    reminder,
  };
}

const todoKeys = knownKeys<NewTodo>({
  id: value,
  title: value,
  status: value,
  assignee: value,
  notes: value,
});

/** The session's tasks as a list of todos. */
export const todosService: Service<"todos", { readonly tasks: OpenedTasks }, OpenService<"todos">> = {
  offers: "todos",
  keys: methodKeys<"todos">({}, { write: [0, listOfShape(todoKeys)] }),
  inPreview: "a preview changes no tasks",
  open({ tasks }) {
    // The reminder is for the embedding program, not for tools.
    const { reminder: _reminder, ...todos } = tasks.todos;
    return { forCall: () => todos };
  },
};

interface ReminderOptions {
  /** The number of calls without a change to the list after which it reminds; 0 means never. */
  readonly everyCalls: number;
  findOpen(): readonly OpenTask[];
  remind(reminder: { readonly text: string; readonly open: number }): void;
}

/** Counts calls since the list last changed, and reminds of open tasks. */
function createReminder({ everyCalls, findOpen, remind }: ReminderOptions) {
  let calls = 0;
  let pending: string | undefined;
  return {
    onCall() {
      calls += 1;
      if (everyCalls === 0 || calls < everyCalls) return;
      calls = 0;
      const open = findOpen();
      const text = describeOpen(open);
      if (text === undefined) return;
      pending = text;
      remind({ text, open: open.length });
    },
    onChange() {
      calls = 0;
      pending = undefined;
    },
    /** Returns a due reminder for the model once; a change to the list cancels it. */
    take(): string | undefined {
      const text = pending;
      pending = undefined;
      return text;
    },
  };
}

const maxNamed = 10;

type OpenTask = Pick<Task, "id" | "title" | "status">;

/** Lists the open tasks as a reminder, in order; undefined if there are none. */
export function describeOpen(tasks: readonly OpenTask[]): string | undefined {
  const open = tasks.filter(isOpen);
  if (open.length === 0) return undefined;
  const lines = open
    .slice(0, maxNamed)
    .map(({ id, title, status }) => `- [${status}] ${id}: ${oneLine(title, maxTitleCharacters)}`);
  const more = open.length > maxNamed ? [`- … and ${open.length - maxNamed} more`] : [];
  return [`${open.length} still to do:`, ...lines, ...more].join("\n");
}

function isOpen({ status }: Pick<Task, "status">): boolean {
  return status === "pending" || status === "in_progress";
}
