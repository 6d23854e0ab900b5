import { expect, test } from "vitest";
import { createAlarm } from "../../src/shared/alarm.ts";

test("an alarm that rings while the loop is awake ends the next sleep, and only that", async () => {
  const alarm = createAlarm();
  alarm.ring();
  alarm.ring();
  await alarm.sleep();
  let isOver = false;
  const sleeping = alarm.sleep().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  alarm.ring();
  await sleeping;
});

test("a sleep ends by itself after its time", async () => {
  await createAlarm().sleep(1);
});
