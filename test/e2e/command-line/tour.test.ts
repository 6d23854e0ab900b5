import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const tour = fileURLToPath(new URL("../../../examples/tour.mjs", import.meta.url));

test("the tour shows real output at every step and leaves nothing behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-tour-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const temporary = await mkdtemp(join(folder, "tmp-"));
  const env = { PATH: process.env.PATH, TMPDIR: temporary, HOME: folder };
  // Node 22 warns of its SQLite.
  const words = ["--disable-warning=ExperimentalWarning", tour];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env });
  expect(stderr).toBe("");
  for (const part of [
    "done: 3 words",
    "failed: invalid input for count_words",
    "receipts are chained.",
    "leads outside the workspace",
    "tour: ok, 2 receipts",
  ]) {
    expect(stdout).toContain(part);
  }
  expect(await readdir(temporary)).toEqual([]);
});
