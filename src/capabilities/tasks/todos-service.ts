import { methodKeys, type OpenService, type Service } from "../../kernel/services/service.ts";
import { knownKeys, listOfShape, value } from "../../shared/options/known-keys.ts";
import type { NewTodo } from "../../tool/services/tasks.ts";
import type { OpenedTasks } from "./tasks-service.ts";

const todoKeys = knownKeys<NewTodo>({
  id: value,
  title: value,
  status: value,
  assignee: value,
  notes: value,
});

/** The session's tasks as a list of todos. */
export const todosService: Service<"todos", { readonly tasks: OpenedTasks }, OpenService<"todos">> = {
  offers: "todos",
  keys: methodKeys<"todos">({}, { write: [0, listOfShape(todoKeys)] }),
  inPreview: "a preview changes no tasks",
  open({ tasks }) {
    // The reminder is for the embedding program, not for tools.
    const { reminder: _reminder, ...todos } = tasks.todos;
    return { forCall: () => todos };
  },
};
