import type { OpenService, Service } from "../service.ts";
import type { OpenedTasks } from "./tasks-service.ts";

/** The tasks of a session as one list. */
export const todosService: Service<"todos", { readonly tasks: OpenedTasks }, OpenService<"todos">> = {
  offers: "todos",
  inPreview: "a preview changes no tasks",
  open: ({ tasks: { todos } }) => ({ forCall: () => todos }),
};
