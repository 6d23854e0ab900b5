import { join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";
import { isPlainObject } from "../../../shared/json.ts";
import {
  existsNow,
  isLocked,
  mkdirNow,
  openKernelLock,
  openLockFolder,
  readdirNow,
  readFileNow,
  renameNow,
  rmNow,
  withUserLock,
  writeFileNow,
} from "../../locks/index.ts";

interface LeasedPaths {
  readonly held: Iterable<string>;
  /** Placeholders that are not needed any more, and not removed yet. */
  readonly left: Iterable<string>;
}

type IsHeld = (path: string) => boolean;

/**
 * Tells the user's other processes which placeholders we hold, so that none removes another's, and which we have still to
 * remove. A lease counts for as long as its process has locked the file beside it; after that it lists the leftovers.
 */
export function createPlaceholderLeases() {
  let own: Lease | undefined;
  const openOwn = () => {
    if (own?.isThere()) return own;
    own?.life.close();
    own = openLease();
    return own;
  };
  return {
    /** Publishes the placeholders that we hold, then runs `place`, while no other process removes any. */
    hold: <Result>(list: LeasedPaths, place: () => Result): Promise<Result> =>
      withUserLock("placeholders", () => {
        openOwn().publish(list);
        return place();
      }),
    /** Runs `remove` while no other process takes hold of any, then publishes the placeholders that we have now. */
    release: (list: () => LeasedPaths, remove: (isHeldByOther: IsHeld) => void): Promise<void> =>
      withUserLock("placeholders", () => {
        const lease = openOwn();
        remove(readOthers(lease));
        lease.publish(list());
      }),
    /** Reads the placeholders that ended processes have left, by lease. */
    async readLeft(): Promise<ReadonlyMap<string, readonly string[]>> {
      const folder = leaseFolder();
      // Without the folder no lease was ever taken, and none is left; the folder is not made to find that out.
      if (!existsNow(folder)) return new Map();
      return withUserLock("placeholders", () => readEnded(folder));
    },
    /** Removes leases; the caller has removed all the placeholders that they name. */
    async forget(leases: Iterable<string>): Promise<void> {
      const ended = new Set(leases);
      const folder = leaseFolder();
      for (const name of readdirNow(folder))
        if (ended.has(leaseOf(name))) rmNow(join(folder, name), { force: true });
    },
  };
}

type Lease = ReturnType<typeof openLease>;

/** Call it only under the lock: a lease that is not locked yet looks like one that is left over. */
function openLease() {
  const folder = leaseFolder();
  mkdirNow(folder, { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const life = openKernelLock(join(folder, `${id}.lock`));
  if (!life.take()) throw new Error(`${id} is the lease of another process`);
  let published: string | undefined;
  return {
    id,
    folder,
    /** Held for as long as this process lives; part of the lease, because the lock would end with its last reference. */
    life,
    /** False once the lease was removed, or the folder with the state of all workspaces was replaced. */
    isThere: () => folder === leaseFolder() && existsNow(join(folder, `${id}.lock`)),
    publish({ held, left }: LeasedPaths) {
      const text = JSON.stringify({ paths: [...held], left: [...left] });
      if (text === published) return;
      // No process may find it half written, even if we are killed or the disk is full.
      writeFileNow(join(folder, `${id}.new`), text, { mode: 0o600 });
      renameNow(join(folder, `${id}.new`), join(folder, `${id}.json`));
      published = text;
    },
  };
}

function leaseFolder(): string {
  return join(openLockFolder(), "placeholders");
}

function readOthers({ id: own, folder }: Lease): IsHeld {
  const held = new Set<string>();
  let isAnythingHeld = false;
  for (const id of leasesIn(folder)) {
    if (id === own || !isLocked(join(folder, `${id}.lock`))) continue;
    const lease = readLease(join(folder, `${id}.json`));
    // Its paths are not known; they would lose their protection.
    if (lease === undefined) isAnythingHeld = true;
    for (const path of lease?.paths ?? []) held.add(path);
  }
  return (path) => isAnythingHeld || held.has(path);
}

function readEnded(folder: string): ReadonlyMap<string, readonly string[]> {
  const ended = [...leasesIn(folder)].filter((id) => !isLocked(join(folder, `${id}.lock`)));
  return new Map(
    ended.map((id) => {
      const { paths = [], left = [] } = readLease(join(folder, `${id}.json`)) ?? {};
      return [id, [...paths, ...left]];
    }),
  );
}

function leasesIn(folder: string): ReadonlySet<string> {
  return new Set(readdirNow(folder).map(leaseOf));
}

/** Gives the name of a lease; all files of the lease have it. */
function leaseOf(name: string): string {
  return name.split(".", 1)[0]!;
}

/** Undefined if it is not a lease. */
function readLease(
  file: string,
): { readonly paths?: readonly string[]; readonly left?: readonly string[] } | undefined {
  let text: string;
  try {
    text = readFileNow(file, "utf8");
  } catch {
    // Its process was killed, or has not got further yet.
    return {};
  }
  try {
    const lease: unknown = JSON.parse(text);
    if (!isPlainObject(lease) || !Array.isArray(lease.paths)) return undefined;
    return { paths: textsIn(lease.paths), left: textsIn(lease.left) };
  } catch {
    return undefined;
  }
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}
