import { defined } from "../../../../shared/options/defined.ts";
import { taskRecord } from "../../../../tool/builtin/task-outputs.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { maxTitleCharacters } from "../../../../tool/services/tasks.ts";
import { describeTask } from "../describe-tasks.ts";

export default declareTool({
  name: "task_create",
  description: "Add a task to the session's task list, such as one step of a longer piece of work.",
  params: {
    title: {
      type: "string",
      minLength: 1,
      maxLength: maxTitleCharacters,
      description: "What to do, in one line",
    },
    description: {
      type: "string",
      maxLength: 20_000,
      required: false,
      description: "Details needed to do it",
    },
    depends_on: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 100 },
      maxItems: 100,
      default: [],
      description: "Ids of tasks that must be done first",
    },
  },
  prompt: `Use tasks for work of three or more steps, or with steps that depend on each other; simple work needs none.
Create them before you begin, update each when you start and when you finish it, and list them to find the next one.`,
  traits: { concurrencySafe: true },
  output: taskRecord,
  searchHint: "task plan step todo new add",
  // Changes only the session's own list.
  permission: () => ({ action: "interact" }),
  run: ({ title, description, depends_on }, { tasks }) =>
    tasks.create({ title, dependsOn: depends_on, ...defined({ description }) }),
  toText: (task) => `Created ${describeTask(task)}`,
});
