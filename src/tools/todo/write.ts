import { declareTool } from "../../tool/define-tool.ts";
import { maxTitleCharacters, todoStatuses } from "../../tool/services/tasks.ts";
import { describeTodos } from "../describe-todos.ts";

export default declareTool({
  name: "todo_write",
  description:
    "Replace the whole list of todos: what is not in the new list is gone. Ids must differ, and at most one todo may be in progress.",
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
            description: "Keep the id of a todo that stays; left out, one is made",
          },
          title: {
            type: "string",
            minLength: 1,
            maxLength: maxTitleCharacters,
            description: "What is to be done, in a line",
          },
          status: { type: "string", enum: todoStatuses, default: "pending", description: "Its state" },
          assignee: { type: "string", maxLength: 200, required: false, description: "Who does it" },
          notes: { type: "string", maxLength: 20_000, required: false, description: "What there is to know" },
        },
      },
    },
  },
  prompt: `The list is replaced as a whole: give every todo each time, with the id it has.
Keep exactly one in progress while you work, mark it completed as soon as it is, and drop what is no longer wanted. Todos and tasks are the same list.`,
  traits: { idempotent: true },
  searchHint: "todo task plan list replace",
  // It changes nothing but the session's own list.
  permission: () => ({ action: "interact" }),
  run: async (input, { todos }) => ({ todos: await todos.write(input.todos) }),
  toText: ({ todos }) => describeTodos(todos),
});
