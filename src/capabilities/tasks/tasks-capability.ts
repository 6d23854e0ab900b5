import { capability } from "../../kernel/runtime/index.ts";
import { replay } from "../../kernel/store/index.ts";
import type { Tasks } from "../../tool/services/tasks.ts";
import { inListOrder, taskRecords } from "./task-record.ts";
import { type SessionTodos, tasksService, todosService } from "./tasks-service.ts";
import create from "./tools/task/create.ts";
import list from "./tools/task/list.ts";
import update from "./tools/task/update.ts";
import read from "./tools/todo/read.ts";
import write from "./tools/todo/write.ts";

declare module "../../kernel/runtime/session.ts" {
  interface Session {
    /** The list of tasks; every change emits `todo-change`. */
    readonly tasks: Tasks;
    /** The same list, read and replaced as a whole. */
    readonly todos: SessionTodos;
  }
}

/** The tasks of a session, also as a list of todos, beside the work that goes on in the background. */
export const tasksCapability = capability({
  name: "tasks",
  services: { tasks: tasksService, todos: todosService },
  kept: [taskRecords],
  tools: [create, list, update, read, write],
  open: () => ({
    async session(session) {
      const { remindEveryCalls } = session.given;
      const tasks = await tasksService.open({ ...session, remindEveryCalls });
      const { openWork, reminder } = tasks;
      return {
        services: { tasks, todos: await todosService.open({ tasks }) },
        agenda: { openWork, takeReminder: reminder.take },
        onCall: reminder.onCall,
        restore: async (log, before) => tasks.restore(inListOrder(await replay(taskRecords, log, before))),
        members: () => ({ tasks: tasks.tasks, todos: tasks.todos }),
      };
    },
  }),
});
