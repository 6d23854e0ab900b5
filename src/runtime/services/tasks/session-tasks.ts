import { toWork as agentToWork } from "../../../agent/sub-agents/agent-record.ts";
import type { SubAgents } from "../../../agent/sub-agents/sub-agents.ts";
import type { SessionParts } from "../../../create-environment.ts";
import type { Job } from "../../../tool/services/processes.ts";
import type { BackgroundWork, Task, TaskStatus, Tasks, Todos } from "../../../tool/services/tasks.ts";
import type { SessionLog } from "../../sessions/session-log.ts";
import type { OpenedProcesses } from "../processes/open-processes.ts";
import { describeOpen } from "./describe-open.ts";
import { createReminder, type Reminder } from "./reminder.ts";
import { type BackgroundSource, createTaskList, type TaskListChange } from "./task-list.ts";

/** The todos of a session, for whoever embeds it. */
export interface SessionTodos extends Todos {
  /** What is left to do, in words for a model; undefined where nothing is. */
  reminder(): Promise<string | undefined>;
}

export interface SessionTasks {
  readonly tasks: Tasks;
  readonly todos: SessionTodos;
  readonly reminder: Pick<Reminder, "onCall" | "take">;
}

export interface SessionTasksOptions {
  readonly id: string;
  readonly log: Pick<SessionLog, "note">;
  readonly background: readonly BackgroundSource[];
  readonly remindEveryCalls: number;
}

/** What a session has to do, kept in its store; every change is written with the event that tells of it. */
export async function openTasks(
  { store, redactor }: Pick<SessionParts, "store" | "redactor">,
  { id, log, background, remindEveryCalls }: SessionTasksOptions,
): Promise<SessionTasks> {
  const scope = `tasks:${id}`;
  const write = async ({ changed, removed, after }: TaskListChange): Promise<void> => {
    const ids = new Set(changed.map((record) => record.id));
    const shown = redactor.value(after.filter((task) => ids.has(task.id))) as readonly Task[];
    // In one piece, and not tried again by itself: what was said to have failed must not come true later.
    await store.append(id, {
      events: [{ type: "todo_changed", changed: shown, removed }],
      variables: [
        ...changed.map((record) => ({ scope, name: record.id, value: record })),
        ...removed.map((name) => ({ scope, name, value: undefined })),
      ],
    });
    reminder.onChange(after);
  };
  const { tasks, todos } = createTaskList({
    read: () => store.readVariables(scope),
    write,
    background,
  });
  const reminder = createReminder({
    everyCalls: remindEveryCalls,
    remind: ({ text, open }) => log.note({ type: "todo_reminder", text: redactor.text(text), open }),
  });
  // What an earlier run left to do counts as well.
  reminder.onChange(await tasks.list());
  return {
    tasks,
    todos: { ...todos, reminder: async () => describeOpen(await tasks.list()) },
    reminder,
  };
}

/** The commands in the background, as work beside the tasks. */
export function jobsAsWork({ listJobs, jobs }: Pick<OpenedProcesses, "listJobs" | "jobs">): BackgroundSource {
  return {
    list: async () => (await listJobs()).map(toWork),
    async cancel(id) {
      await (await jobs()).kill(id);
    },
  };
}

/** The agents that were sent off: those at work, and those that worked in the background. */
export function agentsAsWork({
  list,
  refresh,
  cancel,
}: Pick<SubAgents<unknown>, "list" | "refresh" | "cancel">): BackgroundSource {
  return {
    async list() {
      await refresh();
      return list()
        .filter(({ mode, status }) => mode === "background" || status === "in_progress")
        .map(agentToWork);
    },
    cancel,
  };
}

function toWork({ id, command, state, startedAt, endedAt, note, exitCode }: Job): BackgroundWork {
  const told = note ?? (exitCode === null ? undefined : `exit code ${exitCode}`);
  return {
    kind: "job",
    id,
    title: command,
    status: statusOfJob[state],
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(told !== undefined && { note: told }),
  };
}

const statusOfJob: Record<Job["state"], TaskStatus> = {
  running: "in_progress",
  done: "done",
  failed: "failed",
  killed: "cancelled",
  "timed-out": "failed",
  unknown: "failed",
};
