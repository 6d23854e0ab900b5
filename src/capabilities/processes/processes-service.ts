import type { Gate } from "../../kernel/policy/index.ts";
import type { SessionShell } from "../../kernel/runtime/index.ts";
import {
  acting,
  type BackgroundSource,
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
} from "../../kernel/services/index.ts";
import { type LazyMethods, lazyMethods } from "../../shared/lazy-methods.ts";
import { newId } from "../../shared/new-id.ts";
import { once, openWhenNeeded } from "../../shared/once.ts";
import { defined } from "../../shared/options/defined.ts";
import { value } from "../../shared/options/known-keys.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Job, RunOptions, StartOptions } from "../../tool/services/processes.ts";
import type { BackgroundWork, TaskStatus } from "../../tool/services/tasks.ts";
import { shellPlace } from "./current-directory.ts";
import { endLostCommands } from "./end-lost.ts";
import { jobRecords } from "./jobs/job-record.ts";
import type { JobControl } from "./jobs/open-jobs.ts";
import type { OpenProcesses, ProcessParts } from "./open-processes.ts";
import type { ProcessUse } from "./prepare-commands.ts";
import type { ShellOptions } from "./shell-options.ts";

/** A session's background jobs, for the embedding program. */
export interface SessionJobs extends LazyMethods<JobControl> {
  /** Turns the command that a call waits for into a job; the call returns with the output so far. */
  moveToBackground(callId: string): Promise<Job>;
}

export interface OpenedProcesses extends OpenService<"processes">, SessionShell {
  readonly jobs: SessionJobs;
  readonly background: BackgroundSource;
  close(): Promise<void>;
}

/** Runs bash commands in a sandbox. Loaded with the first command, so a session without commands pays nothing. */
export const processesService: Service<"processes", ProcessParts, OpenedProcesses> = {
  offers: "running processes",
  keys: methodKeys<"processes">(
    {
      run: [1, { directory: value, terminal: value, backgroundAfterMs: value, maxCharacters: value }],
      start: [1, { directory: value, terminal: value, timeoutMs: value, keep: value }],
      output: [1, { cursor: value, pattern: value, maxBytes: value }],
      waitFor: [1, { port: value, pattern: value, deadlineMs: value }],
    },
    {},
  ),
  inPreview: "a preview starts no processes",
  async open(parts) {
    const { kept, run } = parts;
    const [known, directory] = await Promise.all([
      kept(jobRecords).list(),
      kept(shellPlace).get("directory"),
    ]);
    const findEnvironment = once(() => readEnvironment(parts.shell));
    const opening = openWhenNeeded(async (): Promise<OpenProcesses> => {
      const [{ openProcesses }, environment, sandbox] = await Promise.all([
        import("./open-processes.ts"),
        findEnvironment(),
        parts.sandbox(),
      ]);
      return openProcesses(parts, { jobs: known, directory, environment, sandbox });
    });
    const processes = opening.open;
    // Handles leftovers of an earlier run now, not when first asked for: jobs first, so that their ends are recorded.
    if ([...known.values()].some((job) => job.state === "running")) await processes();
    await endLostCommands(run.lostRuns);

    const jobs = lazyMethods<JobControl>(jobMethods, async () => (await processes()).jobs);
    return {
      forCall(gate, call) {
        const use = useOf(gate, call, parts.redactor);
        return {
          ...acting({
            run: async (command: string, options?: RunOptions) =>
              (await processes()).run(use, command, options),
            start: async (command: string, options?: StartOptions) =>
              (await processes()).start(use, command, options),
            kill: (jobId: string) => jobs.kill(jobId),
          }),
          jobs: () => jobs.list(),
          job: (jobId) => jobs.get(jobId),
          output: (jobId, options) => jobs.output(jobId, options),
          waitFor: (jobId, condition) => jobs.waitFor(jobId, { ...condition, signal: use.signal }),
        };
      },
      locate: async (directory) => (await processes()).locate(directory),
      environment: findEnvironment,
      async runConfigured({ noted, ...use }, command, options) {
        const unheard = { requestEscalation: async () => undefined, onLines() {}, onStart() {} };
        const onPlanted = (paths: readonly string[]) => notePlanted(noted, paths);
        return (await processes()).run(
          { callId: newId("check"), ...unheard, ...use, onPlanted },
          command,
          options,
        );
      },
      jobs: { ...jobs, moveToBackground: async (callId) => (await processes()).moveToBackground(callId) },
      // Loads nothing if no job was ever started.
      background: jobsInBackground(jobs, { isUnused: () => opening.isUnused() && known.size === 0 }),
      close: opening.close,
    };
  },
};

const jobMethods = { list: true, get: true, output: true, waitFor: true, kill: true, write: true } as const;

function useOf(gate: Gate, call: ServiceCall, redactor: Pick<Redactor, "text">): ProcessUse {
  return {
    callId: call.id,
    signal: call.deadline.signal,
    secrets: call.secrets,
    gate,
    requestEscalation: call.requestEscalation,
    // Redacted like the result: a tool chooses the text of its progress, but a command does not know who reads its output.
    onLines: (stream, text) => call.progress({ type: "output", stream, text: redactor.text(text) }),
    onStart: (sandbox) => {
      call.noted.sandbox = sandbox;
    },
    onPlanted: (paths) => notePlanted(call.noted, paths),
  };
}

/** Adds paths that a command has left for other programs to run. */
function notePlanted(noted: ServiceCall["noted"], paths: readonly string[]): void {
  noted.planted = [...(noted.planted ?? []), ...paths];
}

async function readEnvironment(shell: ShellOptions = {}): Promise<Readonly<Record<string, string>>> {
  const { childEnvironment } = await import("../../machine/child/child-environment.ts");
  const { environment = {}, passEnvironment = [] } = shell;
  return childEnvironment({ inherited: process.env, passed: passEnvironment, declared: environment });
}

/** Background commands, to be listed together with the tasks. */
function jobsInBackground(
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
    ...defined({ endedAt, note: shown }),
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
