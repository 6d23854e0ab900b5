import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, close, constants, open, write } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ToolError } from "../../tool/tool-error.ts";
import { shellPrologue } from "./shell-prologue.ts";

/** What a command needs before it can start, made ahead and many at a time. */
export interface CommandSupplies {
  /** The fixed path of bash. */
  shell(): Promise<string>;
  /** Whoever takes channels closes them. */
  take(): Promise<CommandChannels>;
  close(): Promise<void>;
}

export interface CommandChannels {
  /** Absent where the system has no named pipes. */
  readonly pipes?: { readonly stdout: PipeEnds; readonly stderr: PipeEnds };
  /** A file without a name that holds the prologue, to which the shell adds its report. */
  readonly report: number;
  /** Where the report begins. */
  readonly prologueBytes: number;
}

export interface PipeEnds {
  readonly reader: number;
  readonly writer: number;
}

export interface CommandSuppliesOptions {
  /** How many are made at a time. */
  readonly batch?: number;
  /** Where bash and mkfifo are looked for. */
  readonly programFolders?: readonly string[];
}

/**
 * Children get named pipes, because those that Node makes are sockets, and a socket cannot be opened by its path:
 * `echo x > /dev/stderr` would fail. One `mkfifo` makes pipes for many commands; they lose their names at once, and none
 * is ever used twice, since what a command left running may still hold it.
 */
export function createCommandSupplies({
  batch = 16,
  programFolders = systemFolders,
}: CommandSuppliesOptions = {}): CommandSupplies {
  const shelf: CommandChannels[] = [];
  let refilling: Promise<void> | undefined;
  let shellPath: Promise<string> | undefined;
  let prologue: Promise<string> | undefined;
  let isClosed = false;

  const refill = () => {
    prologue ??= listForeignDescriptors().then(shellPrologue);
    refilling ??= prologue
      .then((text) => makeChannels(batch, text, programFolders))
      .then((made) => {
        shelf.push(...made);
      })
      .finally(() => {
        refilling = undefined;
      });
    return refilling;
  };

  return {
    shell() {
      shellPath ??= findProgram("bash", programFolders).then(
        (path) => path ?? Promise.reject(noShell(programFolders)),
      );
      return shellPath;
    },
    async take() {
      for (;;) {
        if (isClosed) throw new ToolError("unavailable", "commands can no longer be started here");
        const ready = shelf.pop();
        if (ready === undefined) await refill();
        else {
          // Whoever comes next and finds nothing meets the failure again, and tells of it.
          if (shelf.length < batch / 4 && batch > 1) refill().catch(() => {});
          return ready;
        }
      }
    },
    async close() {
      isClosed = true;
      await refilling?.catch(() => {});
      await Promise.all(shelf.splice(0).map((channels) => closeChannels(channels)));
    },
  };
}

/** Closes all of it; for channels that no command was started with. */
export async function closeChannels({ pipes, report }: CommandChannels): Promise<void> {
  const ends = pipes === undefined ? [] : [pipes.stdout, pipes.stderr];
  const descriptors = ends.flatMap(({ reader, writer }) => [reader, writer]);
  await Promise.all([report, ...descriptors].map((descriptor) => closeDescriptor(descriptor)));
}

export const closeDescriptor = promisify(close);
const openDescriptor = promisify(open);
const writeDescriptor = promisify(write);

// Never by PATH: that may lead into the workspace.
const systemFolders = ["/bin", "/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

async function findProgram(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    const isThere = await promisify(access)(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

function noShell(folders: readonly string[]): ToolError {
  return new ToolError("unavailable", `there is no bash in ${folders.join(", ")}`, {
    hint: "Install bash.",
  });
}

/**
 * What the runtime itself was started with, by whoever started it, and Node would hand on to every child. Node's own are
 * marked to be closed.
 */
async function listForeignDescriptors(): Promise<number[]> {
  const names = await readdir("/proc/self/fdinfo").catch(() => []);
  const foreign = await Promise.all(
    names.map(async (name) => {
      const info = await readFile(`/proc/self/fdinfo/${name}`, "utf8").catch(() => "");
      const flags = Number.parseInt(/^flags:\s+(\d+)/m.exec(info)?.[1] ?? "", 8);
      return Number(name) > 2 && (flags & closeOnExec) === 0 ? [Number(name)] : [];
    }),
  );
  return foreign.flat();
}

const closeOnExec = 0o2000000;

async function makeChannels(
  count: number,
  prologue: string,
  programFolders: readonly string[],
): Promise<CommandChannels[]> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-pipes-"));
  try {
    const numbers = Array.from({ length: count }, (_, number) => number);
    const program = await findProgram("mkfifo", programFolders);
    const names = numbers.flatMap((number) => [`${number}.out`, `${number}.err`]);
    const hasPipes = program !== undefined && (await makePipes(program, names, folder));
    const made = await Promise.allSettled(
      numbers.map(async (number) => ({
        prologueBytes: Buffer.byteLength(prologue),
        report: await openReport(join(folder, `${number}.report`), prologue),
        ...(hasPipes && { pipes: await openPipes(join(folder, String(number))) }),
      })),
    );
    const whole = made.filter((one) => one.status === "fulfilled").map(({ value }) => value);
    const failure = made.find((one) => one.status === "rejected");
    if (whole.length === 0 && failure !== undefined) throw noDescriptors(failure.reason);
    return whole;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makePipes(program: string, names: readonly string[], folder: string): Promise<boolean> {
  const child = spawn(program, ["-m", "600", ...names], { cwd: folder, env: {}, stdio: "ignore" });
  try {
    const [exitCode] = await once(child, "exit");
    return exitCode === 0;
  } catch {
    return false;
  }
}

async function openPipes(path: string): Promise<{ stdout: PipeEnds; stderr: PipeEnds }> {
  return { stdout: await openPipe(`${path}.out`), stderr: await openPipe(`${path}.err`) };
}

/** The reader first and without waiting: a writer would wait for it. */
async function openPipe(path: string): Promise<PipeEnds> {
  const reader = await openDescriptor(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reader, writer: await openDescriptor(path, constants.O_WRONLY) };
  } catch (error) {
    await closeDescriptor(reader);
    throw error;
  }
}

async function openReport(path: string, prologue: string): Promise<number> {
  const { O_RDWR, O_CREAT, O_EXCL, O_APPEND } = constants;
  const report = await openDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0o600);
  await writeDescriptor(report, prologue);
  return report;
}

function noDescriptors(cause: unknown): ToolError {
  return new ToolError("unavailable", `no command can be started: ${(cause as Error).message}`, {
    retryable: true,
    cause,
  });
}
