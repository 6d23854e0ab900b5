import { expect, onTestFinished, test } from "vitest";
import { openShell } from "../../../support/open-shell.ts";
import { until } from "../../../support/until.ts";

test("output without an end floods neither memory nor the event loop", { timeout: 60_000 }, async () => {
  const shell = await openShell();
  onTestFinished(() => shell.close());
  let longestTurnMs = 0;
  const running = await shell.start("yes 'a line that is printed over and over'", {
    maxOutputFileBytes: 10_000_000,
    onLines() {},
  });
  // Measures this process's own CPU time, because elapsed time depends on other processes.
  let lastTick = process.cpuUsage();
  const ticking = setInterval(() => {
    const { user, system } = process.cpuUsage(lastTick);
    longestTurnMs = Math.max(longestTurnMs, (user + system) / 1000);
    lastTick = process.cpuUsage();
  }, 5);
  const memoryBefore = process.memoryUsage.rss();
  await until(() => running.output().stdout.totalBytes > 100_000_000);
  const growth = process.memoryUsage.rss() - memoryBefore;
  clearInterval(ticking);
  await running.stop();
  expect(longestTurnMs).toBeLessThan(500);
  expect(growth).toBeLessThan(100_000_000);
});
