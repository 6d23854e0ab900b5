import { declareTool } from "../../tool/define-tool.ts";
import { maxTitleCharacters } from "../../tool/services/tasks.ts";
import { describeTask } from "../describe-task.ts";

export default declareTool({
  name: "task_create",
  description:
    "Note a task that is to be done, such as one step of a longer piece of work. It stays with the session until it is done.",
  params: {
    title: {
      type: "string",
      minLength: 1,
      maxLength: maxTitleCharacters,
      description: "What is to be done, in a line",
    },
    description: {
      type: "string",
      maxLength: 20_000,
      required: false,
      description: "What there is to know about it",
    },
    depends_on: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 100 },
      maxItems: 100,
      default: [],
      description: "The ids of tasks that have to be done first",
    },
  },
  prompt: `Use tasks for work of three steps or more, and for steps that have to wait for others; simple work needs none.
Create them before you begin, update each when you take it up and when it has ended, and list them to see what is next.`,
  traits: { concurrencySafe: true },
  searchHint: "task plan step todo new add",
  // It changes nothing but the session's own list.
  permission: () => ({ action: "interact" }),
  run: ({ title, description, depends_on }, { tasks }) =>
    tasks.create({ title, dependsOn: depends_on, ...(description !== undefined && { description }) }),
  toText: (task) => `Created ${describeTask(task)}`,
});
