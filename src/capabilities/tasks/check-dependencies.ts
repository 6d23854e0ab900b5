import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { TaskRecord } from "./task-record.ts";

/** Refuses dependencies on missing tasks, and cycles. */
export function checkDependencies(
  task: Pick<TaskRecord, "id" | "dependsOn">,
  records: ReadonlyMap<string, TaskRecord>,
): void {
  for (const id of task.dependsOn) if (id !== task.id && !records.has(id)) throw unknownTask(id, records);
  const way = findWayBack(task, records);
  if (way === undefined) return;
  throw new ToolError("invalid-input", `${task.id} would depend on itself: ${describeWay(way)}`, {
    hint: "Remove one of these dependencies.",
  });
}

export function unknownTask(id: string, records: ReadonlyMap<string, TaskRecord>): ToolError {
  const nearest = nearestNames(id, records.keys());
  const hint = didYouMean(nearest, "List the tasks to see their ids.");
  return new ToolError("not-found", `there is no task ${JSON.stringify(id)}`, { hint });
}

/** The path of dependencies from the task back to itself, if any. Not recursive, because chains may be very long. */
function findWayBack(
  task: Pick<TaskRecord, "id" | "dependsOn">,
  byId: ReadonlyMap<string, TaskRecord>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [task.id];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const next = id === task.id ? task.dependsOn : (byId.get(id)?.dependsOn ?? []);
    if (next.includes(task.id)) return [...wayTo(id, cameFrom), task.id];
    for (const each of next) {
      if (cameFrom.has(each)) continue;
      cameFrom.set(each, id);
      open.push(each);
    }
  }
  return undefined;
}

function wayTo(id: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [id];
  for (let each = cameFrom.get(id); each !== undefined; each = cameFrom.get(each)) way.unshift(each);
  return way;
}

const maxNamed = 10;

function describeWay(way: readonly string[]): string {
  const named = way.length > maxNamed ? [...way.slice(0, maxNamed - 2), "…", ...way.slice(-2)] : way;
  return named.join(" → ");
}
