import { link, lstat, mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "../../../shared/crypto.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { isRunning, ownIdentity, type ProcessIdentity } from "../../../shared/process-identity.ts";
import { ToolError } from "../../../tool/tool-error.ts";

/** Tells the user's other processes which placeholders we hold, so that none removes another's. */
export interface PlaceholderLeases {
  /**
   * Runs `work` under a lock across processes, with the paths that others hold; then publishes the paths that we hold.
   */
  exclusively<Result>(
    work: (heldByOthers: ReadonlySet<string>) => Promise<Result>,
    held: () => Iterable<string>,
  ): Promise<Result>;
  /** The paths that other processes hold. Takes no lock, so the result may already be out of date. */
  heldByOthers(): Promise<ReadonlySet<string>>;
}

export function createPlaceholderLeases(): PlaceholderLeases {
  let opened: Promise<{ folder: string; file: string; identity: ProcessIdentity }> | undefined;
  const open = () => {
    opened ??= openLease();
    return opened;
  };
  return {
    async heldByOthers() {
      const { folder, file } = await open();
      return readOthers(folder, file);
    },
    async exclusively(work, held) {
      const { folder, file, identity } = await open();
      const lock = join(folder, "lock");
      await takeLock(lock, file);
      try {
        return await work(await readOthers(folder, file));
      } finally {
        await writeFile(file, JSON.stringify({ ...identity, paths: [...held()] }));
        await unlink(lock);
      }
    },
  };
}

/** The folder of the leases, which no command may see. */
export function leaseFolder(): string {
  return join(tmpdir(), `toolwright-leases-${process.getuid?.() ?? 0}`);
}

async function openLease() {
  const folder = leaseFolder();
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const stats = await lstat(folder);
  // In a shared folder, anybody could have created this name first.
  if (!stats.isDirectory() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0) {
    throw new ToolError("unavailable", `${folder} must be a folder that only this user can access`, {
      hint: "Remove it, or ask its owner to remove it.",
    });
  }
  const identity = await ownIdentity();
  const file = join(folder, `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ ...identity, paths: [] }), { flag: "wx", mode: 0o600 });
  return { folder, file, identity };
}

/** The lock is a hard link to its holder's lease, so it appears atomically and names its holder. */
async function takeLock(lock: string, lease: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  while (performance.now() < deadline) {
    try {
      await link(lease, lock);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = await readLease(lock);
    if (holder !== undefined && !(await isRunning(holder))) await unlink(lock).catch(() => {});
    await sleep(1 + Math.random() * 4);
  }
  throw new ToolError("unavailable", `another process has held ${lock} for too long`, {
    retryable: true,
  });
}

const maxWaitMs = 10_000;

async function readOthers(folder: string, own: string): Promise<ReadonlySet<string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const files = names.map((name) => join(folder, name)).filter((file) => file !== own);
  const paths = await Promise.all(
    files.map(async (file) => {
      const lease = await readLease(file);
      if (lease === undefined) return [];
      if (await isRunning(lease)) return lease.paths;
      await unlink(file).catch(() => {});
      return [];
    }),
  );
  return new Set(paths.flat());
}

/** Undefined if there is no lease, or it is being written right now. */
async function readLease(
  file: string,
): Promise<(ProcessIdentity & { paths: readonly string[] }) | undefined> {
  try {
    const lease: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isPlainObject(lease)) return undefined;
    const { pid, startedAt, paths } = lease;
    if (typeof pid !== "number" || typeof startedAt !== "string" || !Array.isArray(paths)) return undefined;
    return { pid, startedAt, paths: paths.filter((path) => typeof path === "string") };
  } catch {
    return undefined;
  }
}
