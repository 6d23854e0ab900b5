import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Gate } from "../../kernel/policy/gate.ts";
import { sensitiveNames } from "../../kernel/policy/paths/protected-names.ts";
import type { WorkspacePaths } from "../../kernel/policy/paths/workspace-paths.ts";
import type { BackgroundSource } from "../../kernel/services/background.ts";
import {
  acting,
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
} from "../../kernel/services/service.ts";
import type { SessionKept } from "../../kernel/session/kept/kept.ts";
import type { SessionLog } from "../../kernel/session/session-log.ts";
import type { SessionRun } from "../../kernel/session/session-run.ts";
import { isText, type KeptKind } from "../../kernel/store/kept/kept-kind.ts";
import type { OutputFolder } from "../../kernel/store/output-folder.ts";
import { isAliveIn, ownLifeIn } from "../../kernel/store/process-life.ts";
import type { Store } from "../../kernel/store/store.ts";
import type { Sandbox } from "../../machine/sandbox/sandbox.ts";
import { type LazyMethods, lazyMethods } from "../../shared/lazy-methods.ts";
import { newId } from "../../shared/new-id.ts";
import { value } from "../../shared/options/known-keys.ts";
import { kinds, option, propertiesOf } from "../../shared/options/option.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import type { CommandOutcome, Job, RunOptions, StartOptions } from "../../tool/services/processes.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { SharedSupplies } from "./command/shared-supplies.ts";
import { type JobRecord, jobRecords } from "./jobs/job-record.ts";
import { jobsInBackground } from "./jobs/jobs-in-background.ts";
import type { JobControl } from "./jobs/open-jobs.ts";
import type { ProcessUse } from "./process-use.ts";
import type { SessionProcesses } from "./session-processes.ts";

/** How shell commands run. */
export interface ShellOptions {
  /** Additional environment variables for commands, with their values. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Names of this process's variables to pass on to commands; those that look like secrets never are. */
  readonly passEnvironment?: readonly string[];
  /** After this time, a running command becomes a background job. Default: never. */
  readonly backgroundAfterMs?: number;
  /** How much of a command's output is kept in a file. Default: 64 MB. */
  readonly maxOutputFileBytes?: number;
}

export const shellOptions = {
  shell: option<ShellOptions>({
    schema: {
      type: "object",
      description: "Settings for shell commands",
      properties: propertiesOf<ShellOptions>({
        environment: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "Variables that every command gets",
        },
        passEnvironment: {
          ...kinds.texts,
          description: "Names of variables that are passed on from the environment",
        },
        backgroundAfterMs: {
          type: "integer",
          minimum: 1,
          description: "After how many milliseconds a command goes on in the background",
        },
        maxOutputFileBytes: { ...kinds.count, description: "How much of a command's output is kept" },
      }),
    },
    example: { passEnvironment: ["JAVA_HOME"], backgroundAfterMs: 30_000 },
  }),
};

export interface ProcessParts {
  readonly id: string;
  readonly run: Pick<SessionRun, "id" | "lostRuns">;
  readonly store: Pick<Store, "lives">;
  readonly kept: SessionKept;
  readonly log: Pick<SessionLog, "note" | "confirmOwner">;
  readonly redactor: Pick<Redactor, "text">;
  readonly workspace: Pick<WorkspacePaths, "root" | "resolve">;
  readonly outputs: Pick<OutputFolder, "path">;
  readonly stateFolder: string;
  readonly shell?: ShellOptions | undefined;
  /** Default: those of the session alone. */
  readonly supplies?: SharedSupplies;
  /** Called when the first command is to run, unless a sandbox is required. */
  readonly sandbox: () => Promise<Sandbox>;
}

/** A session's background jobs, for the embedding program. */
export interface SessionJobs extends LazyMethods<JobControl> {
  /** Turns the command that a call waits for into a job; the call returns with the output so far. */
  moveToBackground(callId: string): Promise<Job>;
}

export interface OpenedProcesses extends OpenService<"processes"> {
  /** The absolute directory for a command's `directory` option, or for none. */
  locate(directory: string | undefined): Promise<string>;
  environment(): Promise<Readonly<Record<string, string>>>;
  /**
   * Runs a command that the user's options name, on behalf of the session, without asking a person or reporting lines.
   */
  runConfigured(use: ConfiguredUse, command: string, options: RunOptions): Promise<CommandOutcome>;
  readonly jobs: SessionJobs;
  readonly background: BackgroundSource;
  close(): Promise<void>;
}

type ConfiguredUse = Pick<ProcessUse, "gate" | "signal"> & Pick<ServiceCall, "noted">;

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
    let environment: Promise<Readonly<Record<string, string>>> | undefined;
    const findEnvironment = () => {
      environment ??= readEnvironment(parts.shell);
      return environment;
    };
    let opened: Promise<Opened> | undefined;
    const open = () => {
      opened ??= findEnvironment().then((found) => start(parts, { known, directory, environment: found }));
      return opened;
    };
    // Handles leftovers of an earlier run now, not when first asked for: jobs first, so that their ends are recorded.
    if ([...known.values()].some((job) => job.state === "running")) await open();
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
      background: jobsInBackground(jobs, { isUnused: () => opened === undefined && known.size === 0 }),
      close: async () => (await opened)?.close(),
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
    // Redacted like the result: a tool controls what it reports as progress, but a command does not.
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

interface StartParts {
  readonly known: ReadonlyMap<string, JobRecord>;
  readonly directory: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

interface Opened {
  readonly processes: SessionProcesses;
  close(): Promise<void>;
}

async function readEnvironment(shell: ShellOptions = {}): Promise<Readonly<Record<string, string>>> {
  const { childEnvironment } = await import("../../machine/child/child-environment.ts");
  const { environment = {}, passEnvironment = [] } = shell;
  return childEnvironment({
    inherited: process.env,
    passed: passEnvironment,
    declared: environment,
    secrets: [],
  });
}

/** Loads its modules here, so that opening a session does not wait for them. */
async function start(parts: ProcessParts, { known, directory, environment }: StartParts): Promise<Opened> {
  const [modules, sandbox] = await Promise.all([loadModules(), parts.sandbox()]);
  const { kind, reason } = sandbox;
  parts.log.note({ type: "sandbox", kind, ...(reason !== undefined && { reason }) });
  const { openJobs, createSessionProcesses, createCommandSupplies, startCommand, startTerminal } = modules;
  const { id, run, log, kept, workspace, outputs, stateFolder, shell = {} } = parts;
  const outputFolder = join(outputs.path, id);
  await mkdir(outputFolder, { recursive: true, mode: 0o700 });
  // One pool for many commands, because pipes are made in batches.
  const supplies = (await parts.supplies?.open()) ?? createCommandSupplies();
  let hasStarted = false;
  const startOne = (spec: Parameters<typeof startCommand>[0], { terminal }: { terminal: boolean }) => {
    hasStarted = true;
    return terminal ? startTerminal(spec, supplies) : startCommand(spec, supplies);
  };
  const jobs = await openJobs({
    folder: join(stateFolder, "jobs", id),
    known,
    onRecord: (record) => kept(jobRecords).set(record.id, record),
    onEvent: ({ type, job }) => log.note({ type, job }),
    filterLines: modules.filterLines,
    start: startOne,
    owners: { own: await ownLifeIn(parts.store), isAlive: (owner) => isAliveIn(parts.store, owner) },
  });
  // Per run, not per session: commands of another process that has the session open are not ours to end.
  const marker = markerOf(run.id);
  const processes = createSessionProcesses({
    sandbox,
    sensitiveNames,
    jobs,
    marker,
    environment,
    outputFolder,
    start: startOne,
    confirmOwner: log.confirmOwner,
    directory: await firstDirectory(parts, directory),
    root: workspace.root,
    onDirectory: (path) => kept(shellPlace).set("directory", path),
    resolveDirectory: (path, from) => resolveDirectory(workspace, resolve(from, path), path),
    maxOutputFileBytes: shell.maxOutputFileBytes ?? defaultOutputFileBytes,
    backgroundAfterMs: shell.backgroundAfterMs,
  });
  return {
    processes,
    async close() {
      await jobs.close();
      // Looks at every process of the machine.
      if (hasStarted) await modules.endLeftovers(marker);
      if (parts.supplies === undefined) await supplies.close();
    },
  };
}

/** Where the session's last command ended, as `directory`. */
export const shellPlace: KeptKind<string> = { scope: "shell", isValue: isText };

/** Marks every process that the commands of a run start. */
function markerOf(run: string): string {
  return run.replace(/[^A-Za-z0-9]/g, "-");
}

/** Ends foreground commands of runs whose process was killed: no call waits for them, and no timeout ends them. */
export async function endLostCommands(lostRuns: readonly string[]): Promise<void> {
  if (lostRuns.length === 0) return;
  const { endLeftovers } = await import("../../machine/child/process-tree.ts");
  const endAll = () => Promise.all(lostRuns.map((run) => endLeftovers(markerOf(run))));
  await endAll();
  // A process that was killed as it forked has left a child that cannot be told from others until its program begins.
  await delay(forkMs);
  await endAll();
}

const forkMs = 50;

const defaultOutputFileBytes = 64 * 2 ** 20;

async function loadModules() {
  const [jobs, session, supplies, command, terminal, tree, filter] = await Promise.all([
    import("./jobs/open-jobs.ts"),
    import("./session-processes.ts"),
    import("./command/command-supplies.ts"),
    import("./command/start-command.ts"),
    import("./pty/pty-command.ts"),
    import("../../machine/child/process-tree.ts"),
    import("../search/filter-lines.ts"),
  ]);
  return { ...jobs, ...session, ...supplies, ...command, ...terminal, ...tree, ...filter };
}

/** The directory where an earlier run's last command ended, if it still exists. */
async function firstDirectory({ workspace }: ProcessParts, kept: string | undefined): Promise<string> {
  if (kept === undefined) return workspace.root;
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
      hint: `Commands can only run in ${workspace.root} or a folder in it.`,
    });
  }
  if (kind === "directory") return canonical;
  const code = kind === "missing" ? "not-found" : "not-a-directory";
  throw new ToolError(code, `${written} ${kind === "missing" ? "does not exist" : "is not a folder"}`);
}
