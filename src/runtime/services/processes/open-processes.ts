import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Places } from "../../../open-places.ts";
import type { RuntimeOptions } from "../../../runtime-options.ts";
import type { Job, Processes } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { sensitiveNames } from "../../policy/paths/protected-names.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { SessionLog } from "../../sessions/session-log.ts";
import type { SessionRun } from "../../sessions/session-run.ts";
import type { JobRecord } from "./jobs/job-record.ts";
import type { Jobs } from "./jobs/open-jobs.ts";
import type { ProcessUse } from "./process-use.ts";
import type { SessionProcesses } from "./session-processes.ts";

/** A session's processes, from the first command on; a session that runs none pays for none. */
export interface OpenedProcesses {
  /** Where a command runs that is given this directory, or none. */
  locate(directory: string | undefined): Promise<string>;
  environment(): Promise<Readonly<Record<string, string>>>;
  forCall(use: ProcessUse): Processes;
  jobs(): Promise<Jobs>;
  /** Without making anything ready where no job was ever started. */
  listJobs(): Promise<readonly Job[]>;
  moveToBackground(callId: string): Promise<Job>;
  close(): Promise<void>;
}

export interface ProcessParts extends Pick<Places, "store" | "workspace" | "outputs" | "stateFolder"> {
  readonly options: RuntimeOptions;
  readonly sandbox: () => Promise<Sandbox>;
}

export async function openProcesses(
  parts: ProcessParts,
  { id, run, log }: { id: string; run: Pick<SessionRun, "id" | "lostRuns">; log: SessionLog },
): Promise<OpenedProcesses> {
  const { store, options } = parts;
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
    environment ??= readEnvironment(options);
    return environment;
  };
  let opened: Promise<Opened> | undefined;
  const open = () => {
    opened ??= findEnvironment().then((found) =>
      start(parts, { id, run: run.id, log, state, environment: found }),
    );
    return opened;
  };
  // What an earlier run left behind is looked after at once, not only when somebody asks. Its jobs come first: of one that
  // is ended as a job it is known how it ended.
  if ([...state.jobs.values()].some((job) => job.state === "running")) await open();
  await endLostCommands(run.lostRuns);

  return {
    locate: async (directory) => (await open()).processes.locate(directory),
    environment: findEnvironment,
    forCall: (use) => whenOpen(async () => (await open()).processes.forCall(use)),
    jobs: async () => (await open()).processes.jobs,
    listJobs: async () =>
      opened === undefined && state.jobs.size === 0 ? [] : (await open()).processes.jobs.list(),
    moveToBackground: async (callId) => (await open()).processes.moveToBackground(callId),
    close: async () => (await opened)?.close(),
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

async function readEnvironment({ shell = {} }: RuntimeOptions): Promise<Readonly<Record<string, string>>> {
  const { childEnvironment } = await import("./command/child-environment.ts");
  const { environment = {}, passEnvironment = [] } = shell;
  return childEnvironment({
    inherited: process.env,
    passed: passEnvironment,
    declared: environment,
    secrets: [],
  });
}

interface StartParts {
  readonly id: string;
  /** This process's time with the session: another's commands are not ours to end. */
  readonly run: string;
  readonly log: SessionLog;
  readonly state: KeptState;
  readonly environment: Readonly<Record<string, string>>;
}

/** Loaded only here, so that starting up does not wait for it. */
async function start(parts: ProcessParts, { id, run, log, state, environment }: StartParts): Promise<Opened> {
  const [modules, sandbox] = await Promise.all([loadModules(), parts.sandbox()]);
  const { kind, reason } = sandbox;
  log.note({ type: "sandbox", kind, ...(reason !== undefined && { reason }) });
  const { openJobs, createSessionProcesses, createCommandSupplies, startCommand, startTerminal } = modules;
  const { workspace, outputs, stateFolder, options } = parts;
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
  const marker = markerOf(run);
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
    maxOutputFileBytes: options.shell?.maxOutputFileBytes ?? defaultOutputFileBytes,
    backgroundAfterMs: options.shell?.backgroundAfterMs,
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
  workspace: Places["workspace"],
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

/** Processes that are made ready when one of them is first asked for something. */
function whenOpen(open: () => Promise<Processes>): Processes {
  return {
    run: async (...given) => (await open()).run(...given),
    start: async (...given) => (await open()).start(...given),
    jobs: async () => (await open()).jobs(),
    job: async (...given) => (await open()).job(...given),
    output: async (...given) => (await open()).output(...given),
    waitFor: async (...given) => (await open()).waitFor(...given),
    kill: async (...given) => (await open()).kill(...given),
  };
}
