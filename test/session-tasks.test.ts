import { expect, test } from "vitest";
import { createSessionLog } from "../src/runtime/sessions/session-log.ts";
import { StoreError } from "../src/runtime/store/sql-driver.ts";
import type { Store } from "../src/runtime/store/store.ts";
import { openTasks } from "../src/session-tasks.ts";
import { createRedactor } from "../src/shared/redact.ts";
import { custom } from "./runtime/store/events.ts";
import { openTemporaryStore } from "./runtime/store/temporary-store.ts";

test("a change that was said to have failed does not come true later", async () => {
  const { store } = await openTemporaryStore();
  let isDown = true;
  const shaky: Store = {
    ...store,
    append: (sessionId, entry) =>
      isDown ? Promise.reject(new StoreError("down")) : store.append(sessionId, entry),
  };
  const log = createSessionLog(shaky, "one");
  const parts = { store: shaky, redactor: createRedactor() };
  const { tasks } = await openTasks(parts, { id: "one", log, background: [], remindEveryCalls: 0 });
  await expect(tasks.create({ title: "A" })).rejects.toThrow("down");
  isDown = false;
  await log.append([custom("later")]);
  expect(await tasks.list()).toEqual([]);
  await tasks.create({ title: "B" });
  expect((await tasks.list()).map(({ title }) => title)).toEqual(["B"]);
});
