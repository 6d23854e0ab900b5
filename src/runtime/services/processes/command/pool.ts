/** Things that were made ahead, many at a time. */
export interface Pool<Thing> {
  /** Whoever takes one has to let go of it. */
  take(): Promise<Thing>;
  close(): Promise<void>;
}

export interface PoolOptions<Thing> {
  /** How many are made at a time. */
  readonly batch: number;
  make(count: number): Promise<readonly Thing[]>;
  letGo(thing: Thing): Promise<unknown>;
}

export function createPool<Thing>({ batch, make, letGo }: PoolOptions<Thing>): Pool<Thing> {
  const ready: Thing[] = [];
  let refilling: Promise<void> | undefined;
  let isClosed = false;

  const refill = () => {
    refilling ??= make(batch)
      .then((made) => {
        ready.push(...made);
      })
      .finally(() => {
        refilling = undefined;
      });
    return refilling;
  };
  return {
    async take() {
      while (ready.length === 0 && !isClosed) await refill();
      if (isClosed) throw new Error("nothing can be taken any more");
      const taken = ready.pop() as Thing;
      // Whoever comes next and finds nothing meets the failure again, and tells of it.
      if (ready.length < batch / 4 && batch > 1) refill().catch(() => {});
      return taken;
    },
    async close() {
      isClosed = true;
      await refilling?.catch(() => {});
      await Promise.all(ready.splice(0).map((thing) => letGo(thing)));
    },
  };
}
