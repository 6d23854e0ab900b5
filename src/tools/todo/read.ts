import { declareTool } from "../../tool/define-tool.ts";
import { describeTodos } from "../describe-todos.ts";

export default declareTool({
  name: "todo_read",
  description: "Read the whole todo list with the status of each todo.",
  params: {},
  traits: { readOnly: true, concurrencySafe: true, idempotent: true },
  searchHint: "todo task plan list progress",
  permission: () => ({ action: "read" }),
  run: async (_input, { todos }) => ({ todos: await todos.list() }),
  toText: ({ todos }) => describeTodos(todos),
});
