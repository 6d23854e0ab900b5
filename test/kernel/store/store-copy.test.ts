import { expect, test } from "vitest";
import { openStoreCopy } from "../../../src/kernel/store/open-store.ts";
import { verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { callEnd } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

test("a copy of a store that others write to is whole, and tells of no loss", async () => {
  const { store, file } = await openTemporaryStore();
  const filler = "x".repeat(20_000);
  let isOver = false;
  let appended = 0;
  const writing = (async () => {
    for (; !isOver; appended++) {
      await store.append("one", { events: [callEnd("one", `call-${appended}`, filler)] });
      await new Promise(setImmediate);
    }
  })();
  for (let round = 0; round < 6; round++) {
    const copy = await openStoreCopy(`sqlite:${file}`, { defaultFile: file });
    expect(await verifyChain(copy, "one")).not.toHaveProperty("broken");
    await copy.close();
  }
  isOver = true;
  await writing;
  expect(appended).toBeGreaterThan(10);
});
