import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { OpeningSession } from "../../kernel/runtime/index.ts";
import { isAliveIn, ownLifeIn } from "../../kernel/store/index.ts";
import { endLeftovers } from "../../machine/child/index.ts";
import type { Sandbox } from "../../machine/sandbox/index.ts";
import { defined } from "../../shared/options/defined.ts";
import type { CommandSupplies } from "./command/command-supplies.ts";
import { startCommand } from "./command/start-command.ts";
import { openCurrentDirectory, shellPlace } from "./current-directory.ts";
import { markerOf } from "./end-lost.ts";
import { type JobRecord, jobRecords } from "./jobs/job-record.ts";
import type { StartRunning } from "./jobs/job-start.ts";
import { openJobs } from "./jobs/open-jobs.ts";
import { startTerminal } from "./pty/pty-command.ts";
import { createSessionProcesses } from "./session-processes.ts";
import type { ShellOptions } from "./shell-options.ts";

type SessionKeys =
  | "id"
  | "kept"
  | "log"
  | "outputs"
  | "redactor"
  | "run"
  | "sandbox"
  | "stateFolder"
  | "store"
  | "workspace";

export interface ProcessParts extends Pick<OpeningSession, SessionKeys> {
  readonly shell: ShellOptions | undefined;
  readonly supplies: { open(): Promise<CommandSupplies> };
}

export type OpenProcesses = Awaited<ReturnType<typeof openProcesses>>;

/** Known before any command runs. */
export interface KnownProcesses {
  /** From earlier runs of the session. */
  readonly jobs: ReadonlyMap<string, JobRecord>;
  readonly directory: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
}

/**
 * Opens the commands and jobs of a session that uses them. Brings all the code that runs commands along, so that opening a
 * session does not wait for it.
 */
export async function openProcesses(
  { id, run, store, kept, log, workspace, outputs, stateFolder, shell = {}, ...parts }: ProcessParts,
  known: KnownProcesses,
) {
  const { sandbox, environment } = known;
  const { kind, reason } = sandbox;
  log.note({ type: "sandbox", kind, ...defined({ reason }) });
  const outputFolder = join(outputs.path, id);
  await mkdir(outputFolder, { recursive: true, mode: 0o700 });
  // One pool for many commands, because pipes are made in batches.
  const supplies = await parts.supplies.open();
  let hasStarted = false;
  const start: StartRunning = (spec, { terminal }) => {
    hasStarted = true;
    return terminal ? startTerminal(spec, supplies) : startCommand(spec, supplies);
  };
  const jobs = await openJobs({
    folder: join(stateFolder, "jobs", id),
    known: known.jobs,
    onRecord: (record) => kept(jobRecords).set(record.id, record),
    onEvent: ({ type, job }) => log.note({ type, job }),
    start,
    owners: { own: await ownLifeIn(store), isAlive: (owner) => isAliveIn(store, owner) },
  });
  const directory = await openCurrentDirectory({
    workspace,
    known: known.directory,
    onMove: (path) => kept(shellPlace).set("directory", path),
  });
  const marker = markerOf(run.id);
  const processes = createSessionProcesses({
    ...{ sandbox, directory, jobs, start, environment, outputFolder, marker },
    maxOutputFileBytes: shell.maxOutputFileBytes ?? defaultOutputFileBytes,
    backgroundAfterMs: shell.backgroundAfterMs,
    confirmOwner: log.confirmOwner,
  });
  return {
    ...processes,
    jobs,
    locate: directory.locate,
    async close(): Promise<void> {
      await jobs.close();
      // Looks at every process of the machine.
      if (hasStarted) await endLeftovers(marker);
    },
  };
}

const defaultOutputFileBytes = 64 * 2 ** 20;
