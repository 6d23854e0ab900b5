import { type TaskStatus, taskStatuses } from "../../tool/services/tasks.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { type TaskRecord, toTasks } from "./task-record.ts";

/** Refuses a status that the task cannot change to. */
export function checkMove({ id, status }: TaskRecord, next: TaskStatus): void {
  checkStatus(next);
  if (status !== "done" || next === "done") return;
  throw new ToolError("conflict", `${id} is done; a done task cannot be reopened`, {
    hint: "Create a new task for the remaining work.",
  });
}

/** Untyped callers may pass anything, and a record with an unknown status could not be read back. */
export function checkStatus(status: TaskStatus): void {
  if (taskStatuses.includes(status)) return;
  throw new ToolError(
    "invalid-input",
    `the status must be one of ${taskStatuses.join(", ")}; received ${JSON.stringify(status)}`,
  );
}

/** A blocked task can neither be started nor be done. */
export function checkReady(changed: ReadonlySet<string>, records: readonly TaskRecord[]): void {
  const statuses = new Map(records.map(({ id, status }) => [id, status]));
  for (const { id, status, blockedBy } of toTasks(records)) {
    if (!changed.has(id) || blockedBy.length === 0) continue;
    if (status !== "in_progress" && status !== "done") continue;
    const blockers = blockedBy.map((each) => `${each} (${statuses.get(each)})`).join(", ");
    throw new ToolError("conflict", `${id} cannot be ${status}: it is blocked by ${blockers}`, {
      hint: "Finish the tasks that block it first, or change its dependencies.",
    });
  }
}
