import { type TaskStatus, taskStatuses } from "../../../tool/services/tasks.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type TaskRecord, toTasks } from "./task-record.ts";

/** Refuses a status that the task cannot take on from the one it has. */
export function checkMove({ id, status }: TaskRecord, next: TaskStatus): void {
  checkStatus(next);
  if (status !== "done" || next === "done") return;
  throw new ToolError("conflict", `${id} is done and stays done`, {
    hint: "Create another task for what is left to do.",
  });
}

/** Who calls this without a type check may give anything, and would not find it again. */
export function checkStatus(status: TaskStatus): void {
  if (taskStatuses.includes(status)) return;
  throw new ToolError(
    "invalid-input",
    `a status is one of ${taskStatuses.join(", ")}; received ${JSON.stringify(status)}`,
  );
}

/** What waits for others can neither begin nor be done. */
export function checkReady(changed: ReadonlySet<string>, records: readonly TaskRecord[]): void {
  const statuses = new Map(records.map(({ id, status }) => [id, status]));
  for (const { id, status, blockedBy } of toTasks(records)) {
    if (!changed.has(id) || blockedBy.length === 0) continue;
    if (status !== "in_progress" && status !== "done") continue;
    const waitsFor = blockedBy.map((each) => `${each} (${statuses.get(each)})`).join(", ");
    throw new ToolError("conflict", `${id} cannot be ${status}: it waits for ${waitsFor}`, {
      hint: "Do what it waits for first, or change what it depends on.",
    });
  }
}
