import { join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";
import { isPlainObject } from "../../../shared/json.ts";
import {
  existsNow,
  mkdirNow,
  readdirNow,
  readFileNow,
  renameNow,
  rmNow,
  writeFileNow,
} from "../../locks/files-now.ts";
import { isLocked, type KernelLock, openKernelLock } from "../../locks/kernel-lock.ts";
import { openLockFolder } from "../../locks/lock-folder.ts";
import { withUserLock } from "../../locks/user-lock.ts";

/**
 * Tells the user's other processes which placeholders we hold, so that none removes another's. A lease counts for as long
 * as its process has locked the file beside it.
 */
export interface PlaceholderLeases {
  /** Publishes that we hold these paths, then runs `place`, while no other process removes any. */
  hold<Result>(paths: Iterable<string>, place: () => Result): Promise<Result>;
  /** Runs `remove` while no other process takes hold of any, then publishes the paths that we still hold. */
  release(paths: Iterable<string>, remove: (isHeldByOther: IsHeld) => void): Promise<void>;
}

type IsHeld = (path: string) => boolean;

export function createPlaceholderLeases(): PlaceholderLeases {
  let own: Lease | undefined;
  const openOwn = (): Lease => {
    if (own?.isThere()) return own;
    own?.life.close();
    own = openLease();
    return own;
  };
  return {
    hold: (paths, place) =>
      withUserLock("placeholders", () => {
        openOwn().publish(paths);
        return place();
      }),
    release: (paths, remove) =>
      withUserLock("placeholders", () => {
        const lease = openOwn();
        remove(readOthers(lease));
        lease.publish(paths);
      }),
  };
}

interface Lease {
  readonly id: string;
  readonly folder: string;
  /** Held for as long as this process lives; part of the lease, because the lock would end with its last reference. */
  readonly life: KernelLock;
  /** False once somebody has removed it, or the folder with the state of all workspaces is another one. */
  isThere(): boolean;
  publish(paths: Iterable<string>): void;
}

/** Call it only under the lock: a lease that is not locked yet looks like one that is left over. */
function openLease(): Lease {
  const folder = leaseFolder();
  mkdirNow(folder, { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const life = openKernelLock(join(folder, `${id}.lock`));
  if (!life.take()) throw new Error(`${id} is somebody else's lease`);
  let published: string | undefined;
  return {
    id,
    folder,
    life,
    isThere: () => folder === leaseFolder() && existsNow(join(folder, `${id}.lock`)),
    publish(paths) {
      const text = JSON.stringify({ paths: [...paths] });
      if (text === published) return;
      // Nobody may find it half written, even if we are killed or the disk is full.
      writeFileNow(join(folder, `${id}.new`), text, { mode: 0o600 });
      renameNow(join(folder, `${id}.new`), join(folder, `${id}.json`));
      published = text;
    },
  };
}

function leaseFolder(): string {
  return join(openLockFolder(), "placeholders");
}

/** Also removes the leases of processes that have ended. */
function readOthers({ id: own, folder }: Lease): IsHeld {
  const held = new Set<string>();
  const names = Map.groupBy(readdirNow(folder), (name) => name.split(".", 1)[0]!);
  let isAnythingHeld = false;
  for (const [id, files] of names) {
    if (id === own) continue;
    if (!isLocked(join(folder, `${id}.lock`))) {
      for (const name of files) rmNow(join(folder, name), { force: true });
      continue;
    }
    const paths = readPaths(join(folder, `${id}.json`));
    // Who knows what it holds; it would lose its protection.
    if (paths === undefined) isAnythingHeld = true;
    for (const path of paths ?? []) held.add(path);
  }
  return (path) => isAnythingHeld || held.has(path);
}

/** Undefined if it is not a lease. */
function readPaths(file: string): readonly string[] | undefined {
  let text: string;
  try {
    text = readFileNow(file, "utf8");
  } catch {
    // Its process was killed, or has not got further yet.
    return [];
  }
  try {
    const lease: unknown = JSON.parse(text);
    if (!isPlainObject(lease) || !Array.isArray(lease.paths)) return undefined;
    return lease.paths.filter((path) => typeof path === "string");
  } catch {
    return undefined;
  }
}
