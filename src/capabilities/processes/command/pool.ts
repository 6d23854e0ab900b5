/** Things made ahead of use, a batch at a time. */
export interface Pool<Thing> {
  /** The taker has to release the thing. */
  take(): Promise<Thing>;
  close(): Promise<void>;
}

export interface PoolOptions<Thing> {
  /** How many are made at a time. */
  readonly batch: number;
  make(count: number): Promise<readonly Thing[]>;
  release(thing: Thing): Promise<unknown>;
}

export function createPool<Thing>({ batch, make, release }: PoolOptions<Thing>): Pool<Thing> {
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
      if (isClosed) throw new Error("the pool is closed");
      const taken = ready.pop() as Thing;
      // A failure is not lost: the next `take` from an empty pool tries again and reports it.
      if (ready.length < batch / 4 && batch > 1) refill().catch(() => {});
      return taken;
    },
    async close() {
      isClosed = true;
      await refilling?.catch(() => {});
      await Promise.all(ready.splice(0).map((thing) => release(thing)));
    },
  };
}
