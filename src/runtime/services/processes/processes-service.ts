import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type LazyMethods, lazyMethods } from "../../../shared/lazy-methods.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import type { Job, RunOptions, StartOptions } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Gate } from "../../policy/gate.ts";
import { sensitiveNames } from "../../policy/paths/protected-names.ts";
import type { WorkspacePaths } from "../../policy/paths/workspace-paths.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { SessionLog } from "../../sessions/session-log.ts";
import type { SessionRun } from "../../sessions/session-run.ts";
import type { OutputFolder } from "../../store/output-folder.ts";
import type { Store } from "../../store/store.ts";
import { acting, type OpenService, type Service, type ServiceCall } from "../service.ts";
import type { BackgroundSource } from "../tasks/task-list.ts";
import type { JobRecord } from "./jobs/job-record.ts";
import { jobsInBackground } from "./jobs/jobs-in-background.ts";
import type { JobControl } from "./jobs/open-jobs.ts";
import type { ProcessUse } from "./process-use.ts";
import type { SessionProcesses } from "./session-processes.ts";

/** How shell commands run. */
export interface ShellOptions {
  /** Variables that commands get besides the usual few, with their values. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Variables of this process that commands get too, by name; what looks like a secret never does. */
  readonly passEnvironment?: readonly string[];
  /** After how long a command that still runs goes on as a background job; never by default. */
  readonly backgroundAfterMs?: number;
  /** How much of a command's output is kept in a file, 64 MB by default. */
  readonly maxOutputFileBytes?: number;
}

export interface ProcessParts {
  readonly id: string;
  readonly run: Pick<SessionRun, "id" | "lostRuns">;
  readonly store: Pick<Store, "readVariables">;
  readonly log: Pick<SessionLog, "note" | "noteVariable">;
  readonly redactor: Pick<Redactor, "text">;
  readonly workspace: Pick<WorkspacePaths, "root" | "resolve">;
  readonly outputs: Pick<OutputFolder, "path">;
  readonly stateFolder: string;
  readonly shell?: ShellOptions | undefined;
  /** Found out when the first command is to run, unless one is required. */
  readonly sandbox: () => Promise<Sandbox>;
}

/** The commands of a session that run in the background, for whoever embeds it. */
export interface SessionJobs extends LazyMethods<JobControl> {
  /** Lets the command that a call waits for go on as a job; the call is answered with what there is. */
  moveToBackground(callId: string): Promise<Job>;
}

export interface OpenedProcesses extends OpenService<"processes"> {
  /** Where a command runs that is given this directory, or none. */
  locate(directory: string | undefined): Promise<string>;
  environment(): Promise<Readonly<Record<string, string>>>;
  readonly jobs: SessionJobs;
  readonly background: BackgroundSource;
  close(): Promise<void>;
}

/** Commands in bash and in bounds, from the first one on; a session that runs none pays for none. */
export const processesService: Service<"processes", ProcessParts, OpenedProcesses> = {
  offers: "running processes",
  inPreview: "a preview starts no processes",
  async open(parts) {
    const { id, run, store } = parts;
    const [known, placeVariables] = await Promise.all([
      store.readVariables(`jobs:${id}`),
      store.readVariables(`shell:${id}`),
    ]);
    const state: KeptState = {
      jobs: known as Map<string, JobRecord>,
      directory: placeVariables.get("directory"),
    };
    let environment: Promise<Readonly<Record<string, string>>> | undefined;
    const findEnvironment = () => {
      environment ??= readEnvironment(parts.shell);
      return environment;
    };
    let opened: Promise<Opened> | undefined;
    const open = () => {
      opened ??= findEnvironment().then((found) => start(parts, { state, environment: found }));
      return opened;
    };
    // What an earlier run left behind is looked after at once, not only when somebody asks. Its jobs come first: of one that
    // is ended as a job it is known how it ended.
    if ([...state.jobs.values()].some((job) => job.state === "running")) await open();
    await endLostCommands(run.lostRuns);

    const processes = async () => (await open()).processes;
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
      jobs: { ...jobs, moveToBackground: async (callId) => (await processes()).moveToBackground(callId) },
      // Without making anything ready where no job was ever started.
      background: jobsInBackground(jobs, { isUnused: () => opened === undefined && state.jobs.size === 0 }),
      close: async () => (await opened)?.close(),
    };
  },
};

const jobMethods = { list: true, get: true, output: true, waitFor: true, kill: true, write: true } as const;

/** What a call starts was decided on, word for word, and runs in the bounds that follow. */
function useOf(gate: Gate, call: ServiceCall, redactor: Pick<Redactor, "text">): ProcessUse {
  return {
    callId: call.id,
    signal: call.deadline.signal,
    gate,
    requestEscalation: call.requestEscalation,
    // Whoever listens hears no more than the answer will tell; a tool chooses what it says itself, a command does not.
    onLines: (stream, text) => call.progress({ type: "output", stream, text: redactor.text(text) }),
    onStart: call.noteSandbox,
  };
}

interface KeptState {
  readonly jobs: ReadonlyMap<string, JobRecord>;
  readonly directory: unknown;
}

interface Opened {
  readonly processes: SessionProcesses;
  close(): Promise<void>;
}

async function readEnvironment(shell: ShellOptions = {}): Promise<Readonly<Record<string, string>>> {
  const { childEnvironment } = await import("./command/child-environment.ts");
  const { environment = {}, passEnvironment = [] } = shell;
  return childEnvironment({
    inherited: process.env,
    passed: passEnvironment,
    declared: environment,
    secrets: [],
  });
}

/** Loaded only here, so that starting up does not wait for it. */
async function start(
  parts: ProcessParts,
  { state, environment }: { state: KeptState; environment: Readonly<Record<string, string>> },
): Promise<Opened> {
  const [modules, sandbox] = await Promise.all([loadModules(), parts.sandbox()]);
  const { kind, reason } = sandbox;
  parts.log.note({ type: "sandbox", kind, ...(reason !== undefined && { reason }) });
  const { openJobs, createSessionProcesses, createCommandSupplies, startCommand, startTerminal } = modules;
  const { id, run, log, workspace, outputs, stateFolder, shell = {} } = parts;
  const outputFolder = join(outputs.path, id);
  await mkdir(outputFolder, { recursive: true, mode: 0o700 });
  // One pool for all commands of the session: pipes are made many at a time.
  const supplies = createCommandSupplies();
  const startOne = (spec: Parameters<typeof startCommand>[0], { terminal }: { terminal: boolean }) =>
    terminal ? startTerminal(spec, supplies) : startCommand(spec, supplies);
  const jobs = await openJobs({
    folder: join(stateFolder, "jobs", id),
    known: state.jobs,
    onRecord: (record) => log.noteVariable({ scope: `jobs:${id}`, name: record.id, value: record }),
    onEvent: ({ type, job }) => log.note({ type, job }),
    filterLines: modules.filterLines,
    start: startOne,
  });
  // This process's time with the session: another's commands are not ours to end.
  const marker = markerOf(run.id);
  const processes = createSessionProcesses({
    sandbox,
    sensitiveNames,
    jobs,
    marker,
    environment,
    outputFolder,
    start: startOne,
    directory: await firstDirectory(parts, state.directory),
    root: workspace.root,
    onDirectory: (directory) =>
      log.noteVariable({ scope: `shell:${id}`, name: "directory", value: directory }),
    resolveDirectory: (path, from) => resolveDirectory(workspace, resolve(from, path), path),
    maxOutputFileBytes: shell.maxOutputFileBytes ?? defaultOutputFileBytes,
    backgroundAfterMs: shell.backgroundAfterMs,
  });
  return {
    processes,
    async close() {
      await jobs.close();
      await modules.endLeftovers(marker);
      await supplies.close();
    },
  };
}

/** By which everything that the commands of a run started is known again. */
function markerOf(run: string): string {
  return run.replace(/[^A-Za-z0-9]/g, "-");
}

/** Nobody waits for what a run was waiting for when its process was killed, and nobody's time for it runs out. */
async function endLostCommands(lostRuns: readonly string[]): Promise<void> {
  if (lostRuns.length === 0) return;
  const { endLeftovers } = await import("./command/process-tree.ts");
  await Promise.all(lostRuns.map((run) => endLeftovers(markerOf(run))));
}

const defaultOutputFileBytes = 64 * 2 ** 20;

async function loadModules() {
  const [jobs, session, supplies, command, terminal, tree, filter] = await Promise.all([
    import("./jobs/open-jobs.ts"),
    import("./session-processes.ts"),
    import("./command/command-supplies.ts"),
    import("./command/start-command.ts"),
    import("./pty/pty-command.ts"),
    import("./command/process-tree.ts"),
    import("../search/filter-lines.ts"),
  ]);
  return { ...jobs, ...session, ...supplies, ...command, ...terminal, ...tree, ...filter };
}

/** Where the last command of an earlier run ended, if that is still there. */
async function firstDirectory({ workspace }: ProcessParts, kept: unknown): Promise<string> {
  if (typeof kept !== "string") return workspace.root;
  return resolveDirectory(workspace, kept, kept).catch(() => workspace.root);
}

async function resolveDirectory(
  workspace: ProcessParts["workspace"],
  path: string,
  written: string,
): Promise<string> {
  const { inside, kind, canonical } = await workspace.resolve(path);
  if (!inside) {
    throw new ToolError("outside-workspace", `${written} is outside the workspace`, {
      hint: `Commands run in ${workspace.root} or a folder in it.`,
    });
  }
  if (kind === "directory") return canonical;
  const code = kind === "missing" ? "not-found" : "not-a-directory";
  throw new ToolError(code, `${written} is ${kind === "missing" ? "not there" : "no folder"}`);
}
