import { sep } from "node:path";

export type PathLocks = ReturnType<typeof createPathLocks>;

/**
 * Serialises changes to the same path, or to a folder and something in it. A change locks all its paths at once and
 * waits only for earlier changes, so there is no deadlock.
 */
export function createPathLocks() {
  const held = new Set<Hold>();

  return async <Result>(
    { paths, signal }: { paths: readonly string[]; signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const inTheWay = [...held].filter((other) => overlap(other.paths, paths));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const hold = { paths, released };
    held.add(hold);
    try {
      await waitFor(inTheWay, signal);
      return await work();
    } finally {
      held.delete(hold);
      release();
    }
  };
}

interface Hold {
  readonly paths: readonly string[];
  readonly released: Promise<void>;
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => isAtOrIn(one, other) || isAtOrIn(other, one)));
}

function isAtOrIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** A change nested in another on the same path would wait forever; the call's abort signal ends both. */
async function waitFor(holds: readonly Hold[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (holds.length === 0) return;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([aborted, Promise.all(holds.map(({ released }) => released))]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
