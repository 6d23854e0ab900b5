import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { command, createJobsPlace } from "./jobs-place.ts";

test("a supervisor takes little memory", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const { identity } = await jobs.start(command("exec sleep 1000", { keep: true }));
  const status = await readFile(`/proc/${identity.pid}/status`, "utf8");
  const ownKilobytes = Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1]);
  expect(ownKilobytes).toBeLessThan(48 * 1024);
});
