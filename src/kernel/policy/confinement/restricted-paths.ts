import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { PathAction } from "../paths/judge-path.ts";
import type { Rule, Rules } from "../rules/rule.ts";

/** The paths on disk that rules deny or ask about, so that commands can be kept from them. */
export interface RestrictedPaths {
  readonly read: RestrictedFor;
  readonly write: RestrictedFor;
  /** False if there is too much to look through, or too much was found. */
  readonly isComplete: boolean;
}

/** The restricted paths by decision. A folder stands for everything in it. */
export type RestrictedFor = Readonly<Record<"deny" | "ask", readonly RestrictedPath[]>>;

export interface RestrictedPath {
  readonly path: string;
  readonly rule: Rule;
}

/** The rules that restrict an action on paths, for every tool. */
interface RuleSet {
  readonly action: PathAction;
  readonly decision: "deny" | "ask";
  readonly rules: readonly Rule[];
}

/** A folder as it was last read. */
interface ReadFolder {
  readonly stamp: string;
  /** Every change in the folder since then has changed its stamp. */
  readonly isSettled: boolean;
  readonly found: readonly { readonly set: RuleSet; readonly path: string; readonly rule: Rule }[];
  readonly inner: readonly InnerFolder[];
}

interface InnerFolder {
  readonly path: string;
  /** The rule sets without a rule that matches the folder itself. */
  readonly sets: readonly RuleSet[];
}

/**
 * Finds restricted paths in the workspace's folders. A folder that has not changed is not read again, so that looking
 * before every command is cheap; links are not followed, because a rule binds where they lead.
 */
export function createRestrictedPaths(
  rules: Rules,
  { root, folders }: { root: string; folders: readonly string[] },
  { maxFolders = 50_000, maxFound = 1000 } = {},
): () => Promise<RestrictedPaths> {
  const sets = ruleSetsOf(rules);
  const known = new Map<string, ReadFolder>();
  const pathOf = (absolute: string) => ({ absolute, relative: relativeInside(root, absolute) });
  const matching = ({ rules: all }: RuleSet, absolute: string) => {
    const path = pathOf(absolute);
    return all.find(({ matchesPath }) => matchesPath?.(path));
  };

  /** Reads a folder again if it may have changed; undefined if it is gone. */
  const look = async ({ path: folder, sets: open }: InnerFolder): Promise<ReadFolder | undefined> => {
    try {
      const { mtimeNs, ctimeNs, ino, dev } = await lstat(folder, { bigint: true });
      const stamp = `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
      const last = known.get(folder);
      if (last?.isSettled && last.stamp === stamp) return last;
      const entries = await readdir(folder, { withFileTypes: true });
      const isSettled = Date.now() - Number(mtimeNs / 1_000_000n) > settlingMs;
      const read = { stamp, isSettled, ...sort(folder, entries, open) };
      known.set(folder, read);
      return read;
    } catch {
      known.delete(folder);
      return undefined;
    }
  };

  const sort = (folder: string, entries: readonly Dirent[], open: readonly RuleSet[]) => {
    const found: ReadFolder["found"][number][] = [];
    const inner: InnerFolder[] = [];
    for (const entry of entries) {
      if (entry.isSymbolicLink()) continue;
      const path = join(folder, entry.name);
      const left: RuleSet[] = [];
      for (const set of open) {
        const rule = matching(set, path);
        if (rule === undefined) left.push(set);
        else found.push({ set, path, rule });
      }
      if (entry.isDirectory() && left.length > 0) inner.push({ path, sets: left });
    }
    return { found, inner };
  };

  const lookAtAll = async (batch: readonly InnerFolder[]) =>
    (await Promise.all(batch.map(look))).filter((read) => read !== undefined);

  return async () => {
    const restricted = nothingRestricted();
    if (sets.length === 0) return { ...restricted, isComplete: true };
    const waiting: InnerFolder[] = folders.map((path) => ({ path, sets }));
    // A rule about a whole root leaves nothing that a command could be shown.
    let isComplete = !folders.some((folder) => sets.some((set) => matching(set, folder) !== undefined));
    let count = 0;
    let foundCount = 0;
    while (waiting.length > 0 && isComplete) {
      for (const { found, inner } of await lookAtAll(waiting.splice(-concurrency))) {
        for (const { set, path, rule } of found) restricted[set.action][set.decision].push({ path, rule });
        waiting.push(...inner);
        count += 1;
        foundCount += found.length;
      }
      isComplete = count <= maxFolders && foundCount <= maxFound;
    }
    return { ...restricted, isComplete };
  };
}

// Enough to keep the thread pool busy.
const concurrency = 32;

// The clock of file systems is coarser than ours: two changes may get one time.
const settlingMs = 100;

function ruleSetsOf({ deny, ask }: Rules): RuleSet[] {
  const sets = (["read", "write"] as const).flatMap((action) =>
    Object.entries({ deny, ask }).map(([decision, rules]) => ({
      action,
      decision: decision as RuleSet["decision"],
      rules: rules.filter((rule) => rule.action === action && rule.matchesPath !== undefined),
    })),
  );
  return sets.filter(({ rules }) => rules.length > 0);
}

function nothingRestricted() {
  const none = (): Record<"deny" | "ask", RestrictedPath[]> => ({ deny: [], ask: [] });
  return { read: none(), write: none() };
}
