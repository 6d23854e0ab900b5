import { arrayOf, objectOf } from "../../../../tool/builtin/schema-parts.ts";
import { backgroundWork, taskRecord } from "../../../../tool/builtin/task-outputs.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { describeDetails, describeTask, describeWork } from "../describe-tasks.ts";

export default declareTool({
  name: "task_list",
  description:
    "List the session's tasks with their status, descriptions, notes and the tasks that block them, and everything that runs in the background.",
  params: {},
  traits: { readOnly: true, concurrencySafe: true, idempotent: true },
  output: objectOf({ tasks: arrayOf(taskRecord), background: arrayOf(backgroundWork) }),
  searchHint: "task plan todo progress background job agent",
  permission: () => ({ action: "read" }),
  async run(_input, { tasks }) {
    const [all, background] = await Promise.all([tasks.list(), tasks.background()]);
    return { tasks: all, background };
  },
  toText({ tasks, background }) {
    const listed =
      tasks.length === 0
        ? ["No tasks."]
        : tasks.flatMap((task) => [describeTask(task), ...describeDetails(task)]);
    if (background.length === 0) return listed.join("\n");
    return [...listed, "In the background:", ...background.map(describeWork)].join("\n");
  },
});
