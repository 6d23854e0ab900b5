import type { OpenService, Service } from "../service.ts";
import type { OpenedTasks } from "./tasks-service.ts";

/** The session's tasks as a list of todos. */
export const todosService: Service<"todos", { readonly tasks: OpenedTasks }, OpenService<"todos">> = {
  offers: "todos",
  inPreview: "a preview changes no tasks",
  open({ tasks }) {
    // The reminder is for the embedding program, not for tools.
    const { reminder: _reminder, ...todos } = tasks.todos;
    return { forCall: () => todos };
  },
};
