import { access, mkdir, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const prefix = "toolwright-";
// A run needs a fraction of it.
const neededBytes = 4 * 2 ** 30;

/**
 * For the whole run: temporary folders in memory, where Linux offers that. Tests make and remove so many files that a disk
 * takes a fifth of the processor's time, mostly to look for inodes that nobody has just removed.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  process.env.TOOLWRIGHT_TEST_DISK = tmpdir();
  if (process.env.TMPDIR !== undefined || !(await hasRoom())) return undefined;
  await removeLeft();
  // Short, because the addresses of sockets are.
  const folder = join(memory, `${prefix}${process.pid}`);
  // Some tests act as other users, who have to get through it.
  await mkdir(folder, { mode: 0o711 });
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
}

async function hasRoom(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= neededBytes;
}

/** Of runs that were killed: their memory would be lost until the machine is started again. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(memory)) {
    const pid = name.startsWith(prefix) ? name.slice(prefix.length) : "self";
    const isRunning = await access(`/proc/${pid}`).then(
      () => true,
      () => false,
    );
    if (!isRunning) await rm(join(memory, name), { recursive: true, force: true }).catch(() => {});
  }
}
