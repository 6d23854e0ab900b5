import { expect, test } from "vitest";
import { tasksService } from "../../../src/capabilities/tasks/tasks-service.ts";
import { openKept } from "../../../src/kernel/session/kept/kept.ts";
import { createSessionLog } from "../../../src/kernel/session/session-log.ts";
import { createRedactor } from "../../../src/shared/secrets/redact.ts";
import { custom } from "../../kernel/store/events.ts";
import { openShakyStore } from "../../kernel/store/shaky-store.ts";

test("a change that was said to have failed does not come true later", async () => {
  const { shaky, mend } = await openShakyStore();
  const log = createSessionLog(shaky, "one");
  const background = { list: async () => [], cancel: async () => {} };
  const { tasks } = await tasksService.open({
    kept: openKept({ store: shaky, log }, "one"),
    log,
    redactor: createRedactor(),
    remindEveryCalls: 0,
    background: [background, background],
  });
  await expect(tasks.create({ title: "A" })).rejects.toThrow("down");
  mend();
  await log.append([custom("later")]);
  expect(await tasks.list()).toEqual([]);
  await tasks.create({ title: "B" });
  expect((await tasks.list()).map(({ title }) => title)).toEqual(["B"]);
});
