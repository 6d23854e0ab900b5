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

export type FreshnessPool = ReturnType<typeof createFreshnessPool>;

/** By path, the hash of what the session has read or written there. */
export const readHashes: KeptKind<string> = { scope: "freshness", isValue: isText };

/** Opens the pool of a session, with the files that an earlier run of it has read. */
export async function openFreshness(kept: SessionKept): Promise<FreshnessPool> {
  const hashes = kept(readHashes);
  return createFreshnessPool({ known: await hashes.list(), onChange: hashes.set });
}

interface FreshnessOptions {
  /** From an earlier run of the session: path to hash. */
  readonly known?: ReadonlyMap<string, string>;
  readonly onChange?: (path: string, hash: string | undefined) => void;
  /** Tells of the paths that this pool does not know, and is never changed by it: for changes that are only planned. */
  readonly base?: { check(path: string, current: FileVersion): Freshness };
}

/** Remembers the versions of files that a session has read or written. One per session; paths are canonical. */
export function createFreshnessPool({ known = new Map(), onChange, base }: FreshnessOptions = {}) {
  const versions = new Map<string, KnownVersion | undefined>(
    [...known].map(([path, hash]) => [path, { hash }]),
  );
  const contents = createRecentContents();
  /** After a removal or move: a new file at this path counts as never read. */
  const forget = (path: string): void => {
    contents.set(path, undefined);
    if (versions.get(path) !== undefined) onChange?.(path, undefined);
    // An entry without a version hides the one of the base.
    if (base === undefined) versions.delete(path);
    else versions.set(path, undefined);
  };

  return {
    /** After reading or writing a file. */
    record(path: string, { hash, stamp, bytes }: FileVersion): void {
      const earlier = versions.get(path);
      versions.set(path, { stamp, hash });
      contents.set(path, bytes);
      if (earlier === undefined || earlier.hash !== hash) onChange?.(path, hash);
    },
    forget,
    /** After a move or copy: the new path counts as read if the old one was. */
    carry(from: string, to: string): void {
      const version = versions.get(from);
      // A stamp differs at the new path; only a hash stays valid.
      if (version?.hash === undefined) forget(to);
      else {
        versions.set(to, { hash: version.hash });
        contents.set(to, contents.get(from));
        onChange?.(to, version.hash);
      }
    },
    check(path: string, current: FileVersion): Freshness {
      const version = versions.get(path);
      if (version === undefined)
        return base === undefined || versions.has(path) ? "never-read" : base.check(path, current);
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

/** A Map iterates in insertion order, so its first entry is the oldest. */
function createRecentContents() {
  const held = new Map<string, Buffer>();
  let heldBytes = 0;

  const drop = (path: string) => {
    heldBytes -= held.get(path)?.length ?? 0;
    held.delete(path);
  };
  return {
    get: (path: string) => held.get(path),
    set(path: string, bytes: Buffer | undefined): void {
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
