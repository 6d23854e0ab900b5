import { todoList } from "../../../../tool/builtin/task-outputs.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { maxTitleCharacters, todoStatuses } from "../../../../tool/services/tasks.ts";
import { describeTodos } from "../describe-tasks.ts";

export default declareTool({
  name: "todo_write",
  description:
    "Replace the whole todo list; todos that are not in the new list are removed. Ids must be unique, and at most one todo may be in progress.",
  params: {
    todos: {
      type: "array",
      maxItems: 1000,
      description: "The whole list, in order",
      items: {
        type: "object",
        properties: {
          id: {
            type: "string",
            minLength: 1,
            maxLength: 100,
            required: false,
            description: "The id of a todo that stays; leave it out for a new one",
          },
          title: {
            type: "string",
            minLength: 1,
            maxLength: maxTitleCharacters,
            description: "What to do, in one line",
          },
          status: { type: "string", enum: todoStatuses, default: "pending", description: "Its status" },
          assignee: { type: "string", maxLength: 200, required: false, description: "Who does it" },
          notes: { type: "string", maxLength: 20_000, required: false, description: "Details worth keeping" },
        },
      },
    },
  },
  prompt: `The list is replaced as a whole: give every todo each time, with its id.
Keep exactly one in progress while you work, mark it completed as soon as it is done, and drop todos that are no longer needed. Todos and tasks are the same list.`,
  output: todoList,
  searchHint: "todo task plan list replace",
  // Changes only the session's own list.
  permission: () => ({ action: "interact" }),
  run: async (input, { todos }) => ({ todos: await todos.write(input.todos) }),
  toText: ({ todos }) => describeTodos(todos),
});
