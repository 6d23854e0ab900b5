import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../../../tool/tool-error.ts";
import { type CommandPipes, closePipes, makeCommandPipes } from "./command-pipes.ts";
import { closeDescriptor, listForeignDescriptors } from "./descriptors.ts";
import { createPool } from "./pool.ts";
import type { CommandSpec } from "./running-command.ts";
import { keepsDirectory, shellPrologue, trapPrologue, wantsTrapPrologue } from "./shell-prologue.ts";
import { extendPrologue, makeShellReports, type ShellReport } from "./shell-report.ts";

/** What commands need before they can start, made ahead. */
export interface CommandSupplies {
  /** The fixed path of bash. */
  shell(): Promise<string>;
  /** Whoever takes it closes what is in it. */
  take(spec: Pick<CommandSpec, "command" | "wrap">): Promise<CommandSupply>;
  close(): Promise<void>;
}

export interface CommandSupply {
  readonly shell: string;
  readonly pipes: CommandPipes;
  /** Absent where the command ends in the directory in which it starts. */
  readonly report?: ShellReport;
}

export interface CommandSuppliesOptions {
  /** How many are made at a time. */
  readonly batch?: number;
  /** Where bash and mkfifo are looked for. */
  readonly programFolders?: readonly string[];
}

export function createCommandSupplies({
  batch = 16,
  programFolders = systemFolders,
}: CommandSuppliesOptions = {}): CommandSupplies {
  let found: Promise<FoundSystem> | undefined;
  const system = () => {
    found ??= findSystem(programFolders);
    return found;
  };
  const pipes = createPool({
    batch,
    make: async (count) => makeCommandPipes(count, (await system()).mkfifo),
    letGo: closePipes,
  });
  const reports = createPool({
    batch,
    make: async (count) => makeShellReports(count, (await system()).prologue),
    letGo: ({ descriptor }: ShellReport) => closeDescriptor(descriptor),
  });
  const shell = async () => (await system()).shell ?? Promise.reject(noShell(programFolders));
  const takeReport = async ({ command, wrap }: Pick<CommandSpec, "command" | "wrap">) => {
    const { hasForeignDescriptors } = await system();
    // Inside a sandbox the descriptors that make it are there as well: the shell closes them, and always has its report.
    if (keepsDirectory(command) && !hasForeignDescriptors && wrap === undefined) return undefined;
    const report = await reports.take();
    return wantsTrapPrologue(command) ? extendPrologue(report, trapPrologue) : report;
  };
  return {
    shell,
    async take(spec) {
      const path = await shell();
      try {
        const taken = await pipes.take();
        const report = await takeReport(spec).catch(async (error) => {
          await closePipes(taken);
          throw error;
        });
        return { shell: path, pipes: taken, ...(report && { report }) };
      } catch (cause) {
        throw noSupplies(cause);
      }
    },
    async close() {
      await Promise.all([pipes.close(), reports.close()]);
    },
  };
}

/** Closes all of it; for what no command was started with. */
export async function closeSupply({ pipes, report }: CommandSupply): Promise<void> {
  await Promise.all([closePipes(pipes), report && closeDescriptor(report.descriptor)]);
}

interface FoundSystem {
  readonly shell: string | undefined;
  readonly mkfifo: string | undefined;
  readonly prologue: string;
  readonly hasForeignDescriptors: boolean;
}

async function findSystem(folders: readonly string[]): Promise<FoundSystem> {
  const foreign = await listForeignDescriptors();
  return {
    shell: await findProgram("bash", folders),
    mkfifo: await findProgram("mkfifo", folders),
    prologue: shellPrologue(foreign),
    hasForeignDescriptors: foreign.length > 0,
  };
}

// Never by PATH: that may lead into the workspace.
const systemFolders = ["/bin", "/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

async function findProgram(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

function noShell(folders: readonly string[]): ToolError {
  return new ToolError("unavailable", `there is no bash in ${folders.join(", ")}`, { hint: "Install bash." });
}

function noSupplies(cause: unknown): ToolError {
  return new ToolError("unavailable", `no command can be started: ${(cause as Error).message}`, {
    retryable: true,
    cause,
  });
}
