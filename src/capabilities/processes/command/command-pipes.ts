import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDescriptor, openDescriptor } from "./descriptors.ts";

/** Pipes for both outputs of one command; undefined if the system has no named pipes. */
export type CommandPipes = Readonly<Record<"stdout" | "stderr", PipeEnds>> | undefined;

interface PipeEnds {
  readonly reader: number;
  readonly writer: number;
}

/**
 * Children get named pipes, because Node's own are sockets, which cannot be opened by path: `echo x > /dev/stderr`
 * would fail. One `mkfifo` makes pipes for many commands. Their names are removed immediately, and no pipe is reused,
 * since a process left running may still hold it.
 */
export async function makeCommandPipes(count: number, mkfifo: string | undefined): Promise<CommandPipes[]> {
  if (mkfifo === undefined) return new Array(count).fill(undefined);
  const folder = await mkdtemp(join(tmpdir(), "toolwright-pipes-"));
  try {
    const paths = Array.from({ length: count }, (_, number) => join(folder, String(number)));
    await makeNamedPipes(
      mkfifo,
      paths.flatMap((path) => [`${path}.out`, `${path}.err`]),
    );
    const opened = await Promise.allSettled(paths.map(openPipes));
    const pipes = opened.filter((one) => one.status === "fulfilled").map(({ value }) => value);
    const failure = opened.find((one) => one.status === "rejected");
    if (pipes.length === 0 && failure !== undefined) throw failure.reason;
    return pipes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function closePipes(pipes: CommandPipes): Promise<void> {
  const ends = pipes === undefined ? [] : [pipes.stdout, pipes.stderr];
  await Promise.all(ends.flatMap(({ reader, writer }) => [closeDescriptor(reader), closeDescriptor(writer)]));
}

async function makeNamedPipes(mkfifo: string, paths: readonly string[]): Promise<void> {
  const child = spawn(mkfifo, ["-m", "600", ...paths], { env: {}, stdio: "ignore" });
  const [exitCode] = await once(child, "exit");
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
