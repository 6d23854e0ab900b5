import { open } from "node:fs/promises";

/** Identifies a process, even if its pid is reused later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in the system's own format; empty if the system does not say. */
  readonly startedAt: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const found = own ?? (await identityOf(process.pid));
  // Where the system did not say, it may the next time.
  if (found.startedAt !== "") own = found;
  return found;
}

/** Read once: it stays the same, and every session asks for it several times. */
let own: ProcessIdentity | undefined;

export async function identityOf(pid: number): Promise<ProcessIdentity> {
  return { pid, startedAt: (await lookAt(pid)).startedAt };
}

/** A zombie does not count as running. */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const found = await lookAt(pid);
  return !found.isOver && found.startedAt === startedAt;
}

interface Look {
  readonly startedAt: string;
  readonly isOver: boolean;
}

const unknown: Look = { startedAt: "", isOver: false };

function lookAt(pid: number): Promise<Look> {
  return (process.platform === "linux" ? readProcess(pid) : askPs(pid)).catch(() => unknown);
}

/** The name may contain anything, so fields are counted after it: the state, and field 22, the start time. */
async function readProcess(pid: number): Promise<Look> {
  const line = await readLine(`/proc/${pid}/stat`);
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return { startedAt: fields[19] ?? "", isOver: fields[0] === "Z" || fields[0] === "X" };
}

/** Reads a line with a single read, without a stat: every command waits for this when it is started. */
async function readLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(maxLineBytes), 0, maxLineBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    file.close().catch(() => {});
  }
}

const maxLineBytes = 1024;

/** Asks `ps` about a process, on systems without /proc. Its modules are loaded only there. */
export async function askPs(pid: number): Promise<Look> {
  const [{ execFile }, { promisify }] = await Promise.all([
    import("node:child_process"),
    import("node:util"),
  ]);
  const { stdout } = await promisify(execFile)("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    env: { LC_ALL: "C", TZ: "UTC" },
  });
  const [state = "", ...start] = stdout.trim().split(/\s+/);
  return { startedAt: start.join(" "), isOver: state.startsWith("Z") };
}
