import { todoList } from "../../../../tool/builtin/task-outputs.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { describeDetails, describeTodos } from "../describe-tasks.ts";

export default declareTool({
  name: "todo_read",
  description: "Read the whole todo list with the status, description and notes of each todo.",
  params: {},
  prompt: "Read the list before you write it, unless you know how it stands: writing replaces all of it.",
  traits: { readOnly: true, concurrencySafe: true, idempotent: true },
  output: todoList,
  searchHint: "todo task plan list progress",
  permission: () => ({ action: "read" }),
  run: async (_input, { todos }) => ({ todos: await todos.list() }),
  toText: ({ todos }) => describeTodos(todos, describeDetails),
});
