import { escapeLine } from "../../shared/text/escape-controls.ts";
import { type TaskStatus, taskStatuses } from "../../tool/services/tasks.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { blockersOf, type TaskRecord, type TaskRecords } from "./task-record.ts";

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
export function checkReady(changed: readonly TaskRecord[], records: TaskRecords): void {
  for (const task of changed) {
    const { id, status } = task;
    const blockedBy = blockersOf(task, records);
    if (blockedBy.length === 0 || (status !== "in_progress" && status !== "done")) continue;
    const blockers = blockedBy.map((each) => `${each} (${records.get(each)?.status})`).join(", ");
    throw new ToolError("conflict", `${id} cannot be ${status}: it is blocked by ${blockers}`, {
      hint: "Finish the tasks that block it first, or change its dependencies.",
    });
  }
}

const maxIdCharacters = 100;

/** An id must be short and printable, so that it can be shown unquoted in a line. */
export function checkId(id: string): void {
  const isShort = id.trim() !== "" && id.length <= maxIdCharacters;
  if (isShort && escapeLine(id) === id) return;
  throw new ToolError(
    "invalid-input",
    `an id must have 1 to ${maxIdCharacters} characters, without line breaks or invisible characters; received "${escapeLine(id.slice(0, 200))}"`,
  );
}

export function checkTitle(title: string): void {
  if (title.trim() === "") throw new ToolError("invalid-input", "the title must not be blank");
}
