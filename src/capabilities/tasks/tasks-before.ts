import type { LoggedEvent } from "../../kernel/events/session-event.ts";
import type { Task } from "../../tool/services/tasks.ts";

/** The list of tasks as it was before an event of a log, whatever happened to it since. */
export async function tasksBefore(
  events: AsyncIterable<LoggedEvent>,
  before: number,
): Promise<readonly Task[]> {
  const tasks = new Map<string, Task>();
  for await (const event of events) {
    if (event.sequence >= before) break;
    if (event.type !== "todo-change") continue;
    for (const task of event.changed) tasks.set(task.id, task);
    for (const id of event.removed) tasks.delete(id);
  }
  return [...tasks.values()];
}
