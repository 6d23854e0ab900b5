import type { BackgroundSource } from "../../kernel/services/background.ts";
import { methodKeys, type OpenService, type Service } from "../../kernel/services/service.ts";
import type { SessionKept } from "../../kernel/session/kept/kept.ts";
import type { SessionLog } from "../../kernel/session/session-log.ts";
import { knownKeys, listOfShape, value } from "../../shared/options/known-keys.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { oneLine } from "../../shared/text/one-line.ts";
import {
  maxTitleCharacters,
  type NewTodo,
  type Task,
  type Tasks,
  type Todos,
} from "../../tool/services/tasks.ts";
import { createReminder, describeOpen, isOpen, type Reminder } from "./reminder.ts";
import { createTaskList, type TaskList, type TaskListChange } from "./task-list.ts";
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

export interface OpenedTasks extends OpenService<"tasks">, Pick<TaskList, "restore"> {
  readonly tasks: Tasks;
  readonly todos: SessionTodos;
  readonly reminder: Pick<Reminder, "onCall" | "take">;
  /** Open tasks and running background work, in words; undefined if there is none. */
  openWork(): Promise<string | undefined>;
}

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
  async open(parts) {
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
    const { tasks, todos, restore } = list;
    const reminder = createReminder({
      everyCalls: remindEveryCalls,
      findOpen: () => [...list.known()].filter(isOpen),
      remind: ({ text, open }) => log.note({ type: "todo-reminder", text: redactor.text(text), open }),
    });
    // Open tasks of an earlier run are reminded of too.
    await list.load();
    return {
      forCall: () => tasks,
      restore,
      async openWork() {
        const running = (await tasks.background()).filter(isOpen);
        const lines = running.map(
          ({ kind, id, title }) => `- ${kind} ${id} is still running: ${oneLine(title, maxTitleCharacters)}`,
        );
        const parts = [describeOpen(await tasks.list()), ...lines].filter((part) => part !== undefined);
        return parts.length === 0 ? undefined : parts.join("\n");
      },
      tasks,
      todos: { ...todos, reminder: async () => describeOpen(await tasks.list()) },
      reminder,
    };
  },
};

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
