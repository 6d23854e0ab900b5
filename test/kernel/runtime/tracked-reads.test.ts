import { expect, test } from "vitest";
import { trackReads } from "../../../src/kernel/runtime/tracked-reads.ts";
import { custom } from "../store/events.ts";
import { openTemporaryStore } from "../store/temporary-store.ts";

test("tracked reads that follow upon each other have all ended before they count as settled", async () => {
  const { store } = await openTemporaryStore();
  await store.append("one", { events: [custom("a"), custom("b")] });
  const tracked = trackReads(store);
  const readAll = async () => {
    const sequences: number[] = [];
    for (let since = 0; ; ) {
      const [event] = await tracked.store.readEvents("one", { since, limit: 1 });
      if (event === undefined) return sequences;
      since = event.sequence;
      sequences.push(since);
      await tracked.store.readLastSequence("one");
    }
  };
  let read: number[] = [];
  void readAll().then((sequences) => {
    read = sequences;
  });
  await tracked.settled();
  expect(read).toEqual([1, 2]);
});

test("a tracked read that fails counts as settled, and its reader gets the error", async () => {
  const { store } = await openTemporaryStore();
  await store.close();
  const tracked = trackReads(store);
  const reading = expect(tracked.store.readLastSequence("one")).rejects.toThrow("not open");
  await tracked.settled();
  await reading;
});
