import type { OpenService, Service } from "../service.ts";
import type { OpenedTasks } from "./tasks-service.ts";

/** The tasks of a session as one list. */
export const todosService: Service<"todos", { readonly tasks: OpenedTasks }, OpenService<"todos">> = {
  offers: "todos",
  inPreview: "a preview changes no tasks",
  open({ tasks }) {
    // What is left to do is put into words for whoever embeds the session, not for tools.
    const { reminder: _reminder, ...todos } = tasks.todos;
    return { forCall: () => todos };
  },
};
