import type { Child } from "./child.ts";

interface Idle<Kept> {
  readonly kind: string;
  readonly kept: Kept;
  readonly timer: NodeJS.Timeout | undefined;
}

export interface PoolLimits {
  readonly maxIdle?: number;
  /** Default: they are kept until the pool is closed. */
  readonly maxIdleMs?: number;
}

/** Keeps processes that have done their work for the next of the same kind. */
export function createChildPool<Kept extends Pick<Child, "isUsable" | "end">>({
  maxIdle = 4,
  maxIdleMs,
}: PoolLimits) {
  let idle: Idle<Kept>[] = [];
  const busy = new Set<Kept>();
  let isClosed = false;

  const take = (kind: string): Kept | undefined => {
    const found = idle.findLast((each) => each.kind === kind && each.kept.isUsable);
    if (found === undefined) return undefined;
    idle = idle.filter((each) => each !== found);
    clearTimeout(found.timer);
    return found.kept;
  };
  const endAll = async (those: readonly Idle<Kept>[]) => {
    idle = idle.filter((each) => !those.includes(each));
    for (const { timer } of those) clearTimeout(timer);
    await Promise.all(those.map(({ kept }) => kept.end()));
  };
  const rest = (kind: string, kept: Kept) => {
    const timer = maxIdleMs === undefined ? undefined : setTimeout(() => endAll([one]), maxIdleMs).unref();
    const one: Idle<Kept> = { kind, kept, timer };
    idle.push(one);
    const gone = idle.filter((each) => !each.kept.isUsable);
    const others = idle.filter((each) => !gone.includes(each));
    void endAll([...gone, ...others.slice(0, Math.max(0, others.length - maxIdle))]);
  };

  return {
    /** Works with a process of this kind that nothing else uses: a kept one, or a new one. */
    async use<Result>(
      kind: string,
      start: () => Kept | Promise<Kept>,
      work: (kept: Kept) => Promise<Result>,
    ): Promise<Result> {
      const kept = take(kind) ?? (await start());
      busy.add(kept);
      try {
        return await work(kept);
      } finally {
        busy.delete(kept);
        if (kept.isUsable && !isClosed) rest(kind, kept);
        else await kept.end();
      }
    },
    /** Ends kept processes of some kinds. */
    forget: (isForgotten: (kind: string) => boolean): Promise<void> =>
      endAll(idle.filter(({ kind }) => isForgotten(kind))),
    /** Ends all, also those at work. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([endAll(idle), ...[...busy].map((kept) => kept.end())]);
    },
  };
}
