import { execFile } from "node:child_process";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createStatThread } from "../../../src/runtime/search/stat-thread.ts";
import { temporaryWorkspace } from "../workspace/temporary-workspace.ts";

test("reads times and sizes, and nothing of what is not there", async () => {
  const { root } = await temporaryWorkspace({ a: "123", b: "" });
  await utimes(join(root, "a"), 1000, 1000);
  const thread = createStatThread();
  onTestFinished(() => thread.close());
  const stats = await thread.read(root, ["a", "missing", "a/b", "b"]);
  expect([...stats.slice(0, 2)]).toEqual([1_000_000, 3]);
  expect([...stats.slice(2, 6)]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  expect(stats[7]).toBe(0);
});

test("answers each question with its own answer, and starts again after it was closed", async () => {
  const { root } = await temporaryWorkspace({ a: "1", b: "12" });
  const thread = createStatThread();
  onTestFinished(() => thread.close());
  const [a, b] = await Promise.all([thread.read(root, ["a"]), thread.read(root, ["b"])]);
  expect([a[1], b[1]]).toEqual([1, 2]);
  await thread.close();
  expect((await thread.read(root, ["b"]))[1]).toBe(2);
});

test("whoever waits when it is closed hears of it", async () => {
  const { root } = await temporaryWorkspace({ a: "1" });
  const thread = createStatThread();
  const waiting = thread.read(root, ["a"]);
  waiting.catch(() => {});
  await thread.close();
  await expect(waiting).rejects.toThrow("has ended");
});

test("keeps no process alive that has nothing else to do, closed or not", async () => {
  const module = new URL("../../../src/runtime/search/stat-thread.ts", import.meta.url);
  const program = `
    const { createStatThread } = await import(${JSON.stringify(module)});
    const stats = await createStatThread().read("/", ["."]);
    console.log(stats.length);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    timeout: 20_000,
  });
  expect(stdout).toBe("2\n");
});
