import { expect, test } from "vitest";
import { startChild } from "./child.ts";
import { custom } from "./events.ts";
import { measureTicks } from "./measure-ticks.ts";
import { openTemporaryStore } from "./temporary-store.ts";

const holdLockScript = new URL("child-hold-lock.ts", import.meta.url);

test("while another process holds the write lock the event loop is not held up", async () => {
  const { store, file } = await openTemporaryStore();
  const child = startChild(holdLockScript, [file]);
  await child.nextLine();
  const append = store.append("one", { events: [custom("late")] });
  const startedMs = performance.now();
  const gaps = await measureTicks(100);
  expect(performance.now() - startedMs).toBeGreaterThan(900);
  // Far less than it would stand still if it waited for the lock, and more than a busy machine makes it wait.
  expect(Math.max(...gaps)).toBeLessThan(3000);
  child.tell();
  await append;
});
