import type { BackgroundSource } from "../../../kernel/services/background.ts";
import type { LazyMethods } from "../../../shared/lazy-methods.ts";
import type { Job } from "../../../tool/services/processes.ts";
import type { BackgroundWork, TaskStatus } from "../../../tool/services/tasks.ts";
import type { JobControl } from "./open-jobs.ts";

/** Background commands, to be listed together with the tasks. */
export function jobsInBackground(
  { list, kill }: Pick<LazyMethods<JobControl>, "list" | "kill">,
  { isUnused }: { isUnused: () => boolean },
): BackgroundSource {
  return {
    list: async () => (isUnused() ? [] : (await list()).map(toWork)),
    async cancel(id) {
      await kill(id);
    },
  };
}

function toWork({ id, command, state, startedAt, endedAt, note, exitCode }: Job): BackgroundWork {
  const shown = note ?? (exitCode === null ? undefined : `exit code ${exitCode}`);
  return {
    kind: "job",
    id,
    title: command,
    status: statusOfJob[state],
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(shown !== undefined && { note: shown }),
  };
}

const statusOfJob: Record<Job["state"], TaskStatus> = {
  running: "in_progress",
  done: "done",
  failed: "failed",
  killed: "cancelled",
  "timed-out": "failed",
  unknown: "failed",
};
