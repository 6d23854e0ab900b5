import type { SessionKept } from "../../kernel/session/index.ts";
import { isText, type KeptKind } from "../../kernel/store/index.ts";

/** A file's content as it was at one moment. */
export interface FileVersion {
  /** SHA-256 of the bytes; absent when only a part of a large file was read. */
  readonly hash?: string | undefined;
  /** Device, inode, size and times: changes whenever the content does, and sometimes when it does not. */
  readonly stamp: string;
  /** Held for a while, to show a diff if the file turns out to be stale. */
  readonly bytes?: Buffer | undefined;
}

type Freshness = "fresh" | "never-read" | { readonly stale: { readonly previous: Buffer | undefined } };

/** Remembers the versions of files that a session has read or written. One per session; paths are canonical. */
export interface FreshnessPool {
  recordRead(path: string, version: FileVersion): void;
  recordWrite(path: string, version: FileVersion): void;
  /** After a removal or move: a new file at this path counts as never read. */
  forget(path: string): void;
  /** After a move or copy: the new path counts as read if the old one was. */
  carry(from: string, to: string): void;
  check(path: string, current: FileVersion): Freshness;
}

/** By path, the hash of what the session has read or written there. */
export const readHashes: KeptKind<string> = { scope: "freshness", isValue: isText };

/** Opens the pool of a session, with the files that an earlier run of it has read. */
export async function openFreshness(kept: SessionKept): Promise<FreshnessPool> {
  const hashes = kept(readHashes);
  return createFreshnessPool({ known: await hashes.list(), onChange: hashes.set });
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
    versions.set(path, { stamp, hash });
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
      // A stamp differs at the new path; only a hash stays valid.
      if (version?.hash === undefined) return forget(to);
      versions.set(to, { hash: version.hash });
      contents.set(to, contents.get(from));
      onChange(to, version.hash);
    },
    check(path, current) {
      const version = versions.get(path);
      if (version === undefined) return "never-read";
      if (isSame(version, current)) return "fresh";
      return { stale: { previous: contents.get(path) } };
    },
  };
}

interface KnownVersion {
  readonly hash?: string | undefined;
  readonly stamp?: string;
}

/** Prefers the hash: a file that was only touched has a new stamp and the same hash. */
function isSame(known: KnownVersion, current: FileVersion): boolean {
  if (known.hash !== undefined && current.hash !== undefined) return known.hash === current.hash;
  return known.stamp === current.stamp;
}

/** Larger contents are not held, so callers need not pass them. */
export const maxHeldBytes = 16 * 2 ** 20;

interface RecentContents {
  get(path: string): Buffer | undefined;
  set(path: string, bytes: Buffer | undefined): void;
}

/** A Map iterates in insertion order, so its first entry is the oldest. */
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

/** A pool for planned changes: it reads from the base pool but never writes to it. */
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
