import { expect, onTestFinished, test } from "vitest";
import { openShell } from "../../../support/open-shell.ts";

test("a command answers at once though something it started keeps its output open", async () => {
  const shell = await openShell();
  onTestFinished(() => shell.close());
  const { elapsedMs } = await shell.run("sleep 1000 & echo done");
  expect(elapsedMs).toBeLessThan(5000);
});
