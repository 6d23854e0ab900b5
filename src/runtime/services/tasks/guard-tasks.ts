import type { Tasks, Todos } from "../../../tool/services/tasks.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ResolvedCall } from "../../pipeline/call.ts";
import { unavailableServices } from "../unavailable-services.ts";

/** Tasks as one call may use them: a preview only looks. */
export function guardTasks({ environment, request }: ResolvedCall): Tasks {
  const tasks = environment.tasks ?? unavailableServices.tasks;
  if (!request.isDryRun) return tasks;
  return { ...tasks, create: refuseChange, update: refuseChange, cancelBackground: refuseChange };
}

export function guardTodos({ environment, request }: ResolvedCall): Todos {
  const todos = environment.todos ?? unavailableServices.todos;
  return request.isDryRun ? { ...todos, write: refuseChange } : todos;
}

async function refuseChange(): Promise<never> {
  throw new ToolError("unsupported", "a preview changes no tasks");
}
