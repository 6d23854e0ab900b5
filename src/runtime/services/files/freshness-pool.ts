/** A file's content as it was at one moment. */
export interface FileVersion {
  /** SHA-256 of the bytes; absent when only a part of a large file was read. */
  readonly hash?: string;
  /** Size, times and identity: changes whenever the content does, and sometimes when it does not. */
  readonly stamp: string;
  /** Kept for a while, to show what has changed. */
  readonly bytes?: Buffer;
}

type Freshness = "fresh" | "never-read" | { readonly stale: { readonly previous?: Buffer } };

/** What a session knows of the files it has read or written. One per session; paths are canonical. */
export interface FreshnessPool {
  recordRead(path: string, version: FileVersion): void;
  recordWrite(path: string, version: FileVersion): void;
  /** For what was removed or moved away: whatever comes to be there has not been read. */
  forget(path: string): void;
  /** For what was moved or copied: as much is known of it as of where it came from. */
  carry(from: string, to: string): void;
  check(path: string, current: FileVersion): Freshness;
}

export function createFreshnessPool({
  known = new Map(),
  onChange = () => {},
}: {
  /** From an earlier run of the session: path to hash. */
  known?: ReadonlyMap<string, string>;
  onChange?: (path: string, hash: string | undefined) => void;
} = {}): FreshnessPool {
  const versions = new Map<string, KnownVersion>([...known].map(([path, hash]) => [path, { hash }]));
  const contents = createRecentContents();

  const record = (path: string, { hash, stamp, bytes }: FileVersion) => {
    const earlier = versions.get(path);
    versions.set(path, { stamp, ...(hash !== undefined && { hash }) });
    contents.set(path, bytes);
    if (earlier === undefined || earlier.hash !== hash) onChange(path, hash);
  };

  const forget = (path: string) => {
    contents.set(path, undefined);
    if (versions.delete(path)) onChange(path, undefined);
  };

  return {
    recordRead: record,
    recordWrite: record,
    forget,
    carry(from, to) {
      const version = versions.get(from);
      // Only a hash says the same of the file at its new place.
      if (version?.hash === undefined) return forget(to);
      versions.set(to, { hash: version.hash });
      contents.set(to, contents.get(from));
      onChange(to, version.hash);
    },
    check(path, current) {
      const version = versions.get(path);
      if (version === undefined) return "never-read";
      if (isSame(version, current)) return "fresh";
      const previous = contents.get(path);
      return { stale: previous === undefined ? {} : { previous } };
    },
  };
}

interface KnownVersion {
  readonly hash?: string;
  readonly stamp?: string;
}

/** A file that was merely touched has another stamp and the same hash. */
function isSame(known: KnownVersion, current: FileVersion): boolean {
  if (known.hash !== undefined && current.hash !== undefined) return known.hash === current.hash;
  return known.stamp === current.stamp;
}

/** What is larger is not kept, so it need not be given. */
export const maxHeldBytes = 16 * 2 ** 20;

interface RecentContents {
  get(path: string): Buffer | undefined;
  set(path: string, bytes: Buffer | undefined): void;
}

/** A map keeps the order of its insertions, so the first one is the one not used for longest. */
function createRecentContents(): RecentContents {
  const held = new Map<string, Buffer>();
  let heldBytes = 0;

  const drop = (path: string) => {
    heldBytes -= held.get(path)?.length ?? 0;
    held.delete(path);
  };
  return {
    get: (path) => held.get(path),
    set(path, bytes) {
      drop(path);
      if (bytes === undefined || bytes.length > maxHeldBytes) return;
      held.set(path, bytes);
      heldBytes += bytes.length;
      for (const oldest of held.keys()) {
        if (heldBytes <= maxHeldBytes) break;
        drop(oldest);
      }
    },
  };
}

/** What would be known after planned changes; the pool beneath learns nothing of them. */
export function layFreshnessOver(base: FreshnessPool): FreshnessPool {
  const planned = createFreshnessPool();
  const settled = new Set<string>();
  const settle = (path: string) => {
    settled.add(path);
    return path;
  };
  return {
    recordRead: (path, version) => planned.recordRead(settle(path), version),
    recordWrite: (path, version) => planned.recordWrite(settle(path), version),
    forget: (path) => planned.forget(settle(path)),
    carry: (from, to) => planned.carry(from, settle(to)),
    check: (path, current) => (settled.has(path) ? planned : base).check(path, current),
  };
}
