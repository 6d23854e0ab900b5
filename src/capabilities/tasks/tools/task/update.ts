import { defined } from "../../../../shared/options/defined.ts";
import { eitherOf } from "../../../../tool/builtin/schema-parts.ts";
import { backgroundWork, taskRecord } from "../../../../tool/builtin/task-outputs.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import {
  type BackgroundWork,
  type Task,
  type TaskStatus,
  type Tasks,
  taskStatuses,
} from "../../../../tool/services/tasks.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { describeTask, describeWork } from "../describe-tasks.ts";

export default declareTool({
  name: "task_update",
  description:
    "Set a task's status: pending, in_progress, then done, failed or cancelled. A task cannot begin before the tasks it depends on are done. A background job or agent can be cancelled by its id.",
  params: {
    id: { type: "string", minLength: 1, maxLength: 100, description: "The task's id" },
    status: { type: "string", enum: taskStatuses, description: "The new status" },
    depends_on: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 100 },
      maxItems: 100,
      required: false,
      description: "Ids of tasks that must be done first; replaces the current ones",
    },
    notes: {
      type: "string",
      maxLength: 20_000,
      required: false,
      description: "The outcome, or the reason for the status",
    },
  },
  prompt: `Set a task to in_progress when you begin it, and to done only when it is finished and checked. Write into notes what you would need to continue after a break.`,
  traits: { concurrencySafe: true },
  output: eitherOf(taskRecord, backgroundWork),
  searchHint: "task plan todo state progress done finish cancel",
  permission: () => ({ action: "interact" }),
  async run({ id, status, depends_on, notes }, { tasks }): Promise<Task | BackgroundWork> {
    try {
      return await tasks.update(id, { status, ...defined({ dependsOn: depends_on, notes }) });
    } catch (error) {
      const work = await findBackground(tasks, id, error);
      if (work === undefined) throw error;
      return endBackground(tasks, work, status);
    }
  },
  toText: (item) => ("kind" in item ? describeWork(item) : describeTask(item)),
});

async function findBackground(tasks: Tasks, id: string, error: unknown): Promise<BackgroundWork | undefined> {
  if (!(error instanceof ToolError) || error.code !== "not-found") return undefined;
  return (await tasks.background()).find((work) => work.id === id);
}

function endBackground(
  tasks: Tasks,
  { id, kind }: BackgroundWork,
  status: TaskStatus,
): Promise<BackgroundWork> {
  if (status === "cancelled") return tasks.cancelBackground(id);
  throw new ToolError("conflict", `${id} is a background ${kind}, so it cannot be set to ${status}`, {
    hint: "You can only cancel it; its status changes by itself when it ends.",
  });
}
