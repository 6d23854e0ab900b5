import { isUtf8 } from "node:buffer";
import { close, constants, open, read, write } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** An unlinked file that holds the prologue, and to which the shell appends its last directory. */
export interface ShellReport {
  readonly descriptor: number;
  readonly prologueBytes: number;
}

export async function makeShellReports(count: number, prologue: string): Promise<ShellReport[]> {
  return makeInFolder("toolwright-reports-", count, async (paths) =>
    paths.map((path) => makeReport(path, prologue)),
  );
}

/** Makes a thing for each path in a new folder, which is removed again. Fails only if none of them can be made. */
export async function makeInFolder<Thing>(
  prefix: string,
  count: number,
  begin: (paths: readonly string[]) => Promise<readonly Promise<Thing>[]>,
): Promise<Thing[]> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  try {
    const paths = Array.from({ length: count }, (_, number) => join(folder, String(number)));
    const made = await Promise.allSettled(await begin(paths));
    const things = made.filter((one) => one.status === "fulfilled").map(({ value }) => value);
    const failure = made.find((one) => one.status === "rejected");
    if (things.length === 0 && failure !== undefined) throw failure.reason;
    return things;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds to the prologue of one command. */
export async function extendPrologue(report: ShellReport, more: string): Promise<ShellReport> {
  await writeDescriptor(report.descriptor, more);
  return { ...report, prologueBytes: report.prologueBytes + Buffer.byteLength(more) };
}

/** The shell's last directory; undefined if the report is missing or unusable. */
export async function readShellReport({
  descriptor,
  prologueBytes,
}: ShellReport): Promise<string | undefined> {
  const memory = Buffer.allocUnsafe(maxReportBytes);
  const { bytesRead } = await readDescriptorAt(descriptor, memory, 0, memory.length, prologueBytes);
  const report = memory.subarray(0, bytesRead);
  if (report.at(-1) !== lineFeed || !isUtf8(report)) return undefined;
  const directory = report.toString("utf8", 0, report.length - 1);
  return directory.startsWith("/") && !directory.includes("\0") ? directory : undefined;
}

const lineFeed = 10;
// Twice the system's limit for a path.
const maxReportBytes = 8 * 1024;

async function makeReport(path: string, prologue: string): Promise<ShellReport> {
  const { O_RDWR, O_CREAT, O_EXCL, O_APPEND } = constants;
  const descriptor = await openDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0o600);
  try {
    await writeDescriptor(descriptor, prologue);
    return { descriptor, prologueBytes: Buffer.byteLength(prologue) };
  } catch (error) {
    await closeDescriptor(descriptor);
    throw error;
  }
}

// Plain numbers to pass to children; a FileHandle would be closed by garbage collection.
export const openDescriptor = promisify(open);
export const closeDescriptor = promisify(close);
const writeDescriptor = promisify(write);
const readDescriptorAt = promisify(read);
