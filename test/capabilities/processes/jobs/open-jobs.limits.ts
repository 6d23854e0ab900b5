import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { command, createJobsPlace } from "../jobs-place.ts";

test("a job that prints 100 MB does not take the memory", { timeout: 60_000 }, async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const mark = randomBytes(8).toString("hex");
  const before = process.memoryUsage().rss;
  const job = await jobs.start(command(`yes ${mark} | head -c 100000000`, { maxOutputFileBytes: 2 ** 20 }));
  expect((await place.untilEvent("job-end", job.id)).job.state).toBe("done");
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});
