import { spawn } from "node:child_process";
import { once as nextEvent } from "node:events";
import { constants } from "node:fs";
import { findStrayDescriptors } from "../../../machine/sandbox/index.ts";
import { once } from "../../../shared/once.ts";
import { findInstalled } from "../../../shared/programs/find-installed.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { CommandSpec } from "./running-command.ts";
import { keepsDirectory, shellPrologue, trapPrologue, wantsTrapPrologue } from "./shell-prologue.ts";
import {
  closeDescriptor,
  extendPrologue,
  makeInFolder,
  makeShellReports,
  openDescriptor,
  type ShellReport,
} from "./shell-report.ts";

export type CommandSupplies = ReturnType<typeof createCommandSupplies>;

export interface CommandSupply {
  readonly shell: string;
  readonly pipes: CommandPipes;
  /** Absent if the command cannot change its directory. */
  readonly report?: ShellReport | undefined;
}

/**
 * Makes ahead the pipes and files that commands need to start, a `batch` at a time. Bash and mkfifo are searched for in
 * `programFolders`.
 */
export function createCommandSupplies({ batch = 16, programFolders = systemFolders } = {}) {
  const system = once(() => findSystem(programFolders));
  const pipes = createPool({
    batch,
    make: async (count) => makeCommandPipes(count, (await system()).mkfifo),
    release: closePipes,
  });
  const reports = createPool({
    batch,
    make: async (count) => makeShellReports(count, (await system()).prologue),
    release: ({ descriptor }: ShellReport) => closeDescriptor(descriptor),
  });
  const shell = async (): Promise<string> =>
    (await system()).shell ?? Promise.reject(noShell(programFolders));
  const takeReport = async ({ command, wrap }: Pick<CommandSpec, "command" | "wrap">) => {
    const { hasForeignDescriptors } = await system();
    // A sandboxed shell inherits the sandbox's descriptors, and needs the prologue to close them.
    if (keepsDirectory(command) && !hasForeignDescriptors && wrap === undefined) return undefined;
    const report = await reports.take();
    return wantsTrapPrologue(command) ? extendPrologue(report, trapPrologue) : report;
  };
  return {
    /** The absolute path of bash. */
    shell,
    /** The taker has to close the supply. */
    async take(spec: Pick<CommandSpec, "command" | "wrap">): Promise<CommandSupply> {
      const path = await shell();
      try {
        const taken = await pipes.take();
        const report = await takeReport(spec).catch(async (error) => {
          await closePipes(taken);
          throw error;
        });
        return { shell: path, pipes: taken, report };
      } catch (cause) {
        throw noSupplies(cause);
      }
    },
    async close(): Promise<void> {
      await Promise.all([pipes.close(), reports.close()]);
    },
  };
}

/** Closes a supply that no command was started with. */
export async function closeSupply({ pipes, report }: CommandSupply): Promise<void> {
  await Promise.all([closePipes(pipes), report && closeDescriptor(report.descriptor)]);
}

async function findSystem(folders: readonly string[]) {
  const foreign = await findStrayDescriptors({ above: 2 }).catch(() => []);
  return {
    shell: await findInstalled("bash", folders),
    mkfifo: await findInstalled("mkfifo", folders),
    prologue: shellPrologue(foreign),
    hasForeignDescriptors: foreign.length > 0,
  };
}

const systemFolders = ["/bin", "/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

function noShell(folders: readonly string[]): ToolError {
  return new ToolError("unavailable", `bash was not found in ${folders.join(", ")}`, {
    hint: "Install bash.",
  });
}

function noSupplies(cause: unknown): ToolError {
  return new ToolError("unavailable", `cannot start a command: ${(cause as Error).message}`, {
    retryable: true,
    cause,
  });
}

interface PoolParts<Thing> {
  readonly batch: number;
  make(count: number): Promise<readonly Thing[]>;
  release(thing: Thing): Promise<unknown>;
}

/** Things made ahead of use, a batch at a time. The taker has to release them. */
export function createPool<Thing>({ batch, make, release }: PoolParts<Thing>) {
  const ready: Thing[] = [];
  let refilling: Promise<void> | undefined;
  let isClosed = false;

  const refill = () => {
    refilling ??= make(batch)
      .then((made) => void ready.push(...made))
      .finally(() => {
        refilling = undefined;
      });
    return refilling;
  };
  return {
    async take(): Promise<Thing> {
      while (ready.length === 0 && !isClosed) await refill();
      if (isClosed) throw new Error("the pool is closed");
      const taken = ready.pop() as Thing;
      // A failure is not lost: the next `take` from an empty pool tries again and reports it.
      if (ready.length < batch / 4 && batch > 1) refill().catch(() => {});
      return taken;
    },
    async close() {
      isClosed = true;
      await refilling?.catch(() => {});
      await Promise.all(ready.splice(0).map((thing) => release(thing)));
    },
  };
}

/** Pipes for both outputs of one command; undefined if the system has no named pipes. */
type CommandPipes = Readonly<Record<"stdout" | "stderr", PipeEnds>> | undefined;

interface PipeEnds {
  readonly reader: number;
  readonly writer: number;
}

/**
 * Children get named pipes, because Node's own are sockets, which cannot be opened by path: `echo x > /dev/stderr`
 * would fail. One `mkfifo` makes pipes for many commands. Their names are removed immediately, and no pipe is reused,
 * since a process left running may still hold it.
 */
async function makeCommandPipes(count: number, mkfifo: string | undefined): Promise<CommandPipes[]> {
  if (mkfifo === undefined) return new Array(count).fill(undefined);
  return makeInFolder("toolwright-pipes-", count, async (paths) => {
    await makeNamedPipes(
      mkfifo,
      paths.flatMap((path) => [`${path}.out`, `${path}.err`]),
    );
    return paths.map(openPipes);
  });
}

async function closePipes(pipes: CommandPipes): Promise<void> {
  const ends = pipes === undefined ? [] : [pipes.stdout, pipes.stderr];
  await Promise.all(ends.flatMap(({ reader, writer }) => [closeDescriptor(reader), closeDescriptor(writer)]));
}

async function makeNamedPipes(mkfifo: string, paths: readonly string[]): Promise<void> {
  const child = spawn(mkfifo, ["-m", "600", ...paths], { env: {}, stdio: "ignore" });
  const [exitCode] = await nextEvent(child, "exit");
  if (exitCode !== 0) throw new Error(`mkfifo failed with exit code ${exitCode}`);
}

async function openPipes(path: string): Promise<NonNullable<CommandPipes>> {
  const stdout = await openPipe(`${path}.out`);
  try {
    return { stdout, stderr: await openPipe(`${path}.err`) };
  } catch (error) {
    await Promise.all([closeDescriptor(stdout.reader), closeDescriptor(stdout.writer)]);
    throw error;
  }
}

/** Opens the reader first and non-blocking, because opening a writer waits for a reader. */
async function openPipe(path: string): Promise<PipeEnds> {
  const reader = await openDescriptor(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reader, writer: await openDescriptor(path, constants.O_WRONLY) };
  } catch (error) {
    await closeDescriptor(reader);
    throw error;
  }
}
