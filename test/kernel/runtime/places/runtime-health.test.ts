import { dirname } from "node:path";
import { expect, test } from "vitest";
import { readHealth } from "../../../../src/kernel/runtime/runtime-health.ts";
import { startChild } from "../../store/child.ts";
import { openTemporaryStore } from "../../store/temporary-store.ts";

test("a store that a suspended process keeps from being written to is failing, though it can be read", async () => {
  const { store, file } = await openTemporaryStore(undefined, { patienceMs: 300 });
  const parts = {
    store: store.maintenance,
    stateFolder: dirname(file),
    sandbox: async () => ({ kind: "bubblewrap" as const }),
    isSandboxOff: false,
    patienceMs: 30,
  };
  expect(await readHealth(parts)).toMatchObject({ store: { isOk: true } });
  const suspend = new URL("../../store/child-suspend-itself.ts", import.meta.url);
  const child = startChild(suspend, [file, "one"]);
  await child.nextLine();
  const isOk = async () => (await readHealth(parts)).store;
  expect(await Promise.all([isOk(), isOk()])).toEqual(
    Array(2).fill({ isOk: false, problem: "it has not answered for 0.03 s" }),
  );
  await child.kill();
  // Whoever asks again has not added to those who wait.
  await store.append("one", { events: [] });
  expect(await readHealth({ ...parts, patienceMs: 3000 })).toMatchObject({ store: { isOk: true } });
});
