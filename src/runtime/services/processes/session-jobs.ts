import type {
  Job,
  JobOutput,
  OutputOptions,
  Readiness,
  ReadyCondition,
} from "../../../tool/services/processes.ts";
import type { OpenedProcesses } from "./open-processes.ts";

/** The commands of a session that run in the background, for whoever embeds it. */
export interface SessionJobs {
  list(): Promise<readonly Job[]>;
  get(id: string): Promise<Job>;
  output(id: string, options?: OutputOptions): Promise<JobOutput>;
  waitFor(id: string, condition: ReadyCondition): Promise<Readiness>;
  kill(id: string): Promise<Job>;
  /** Types into a job's terminal. */
  write(id: string, text: string): Promise<void>;
  /** Lets the command that a call waits for go on as a job; the call is answered with what there is. */
  moveToBackground(callId: string): Promise<Job>;
}

export function sessionJobs({ jobs, moveToBackground }: OpenedProcesses): SessionJobs {
  return {
    list: async () => (await jobs()).list(),
    get: async (id) => (await jobs()).get(id),
    output: async (id, options) => (await jobs()).output(id, options),
    waitFor: async (id, condition) => (await jobs()).waitFor(id, condition),
    kill: async (id) => (await jobs()).kill(id),
    write: async (id, text) => (await jobs()).write(id, text),
    moveToBackground,
  };
}
