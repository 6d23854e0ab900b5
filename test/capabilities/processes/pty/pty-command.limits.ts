import { expect, test } from "vitest";
import { command, createJobsPlace } from "../jobs-place.ts";

const inTerminal = { terminal: true };

test("a terminal that prints 25 MB does not take the memory", { timeout: 60_000 }, async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const before = process.memoryUsage().rss;
  const job = await jobs.start(
    command("yes | head -c 25000000", { ...inTerminal, maxOutputFileBytes: 10_000 }),
  );
  expect((await place.untilEvent("job-end", job.id)).job.state).toBe("done");
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});
