import { execFile } from "node:child_process";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createStatThread } from "../../../src/capabilities/search/stat-thread.ts";
import { temporaryWorkspace } from "../files/temporary-workspace.ts";

const at = (folder: string) => ({ path: folder, location: folder });

test("the stat thread reads times and sizes, and nothing of what is not there", async () => {
  const { root } = await temporaryWorkspace({ a: "123", b: "" });
  await utimes(join(root, "a"), 1000, 1000);
  const thread = createStatThread();
  onTestFinished(() => thread.close());
  const stats = await thread.read(at(root), ["a", "missing", "a/b", "b"]);
  expect([...stats.slice(0, 2)]).toEqual([1_000_000, 3]);
  expect([...stats.slice(2, 6)]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  expect(stats[7]).toBe(0);
});

test("the stat thread reads the real folder where its short path leads elsewhere", async () => {
  const { root } = await temporaryWorkspace({ "meant/a": "123", "other/a": "1" });
  const thread = createStatThread();
  onTestFinished(() => thread.close());
  for (const path of ["other", "missing"]) {
    const folder = { path: join(root, path), location: join(root, "meant") };
    expect((await thread.read(folder, ["a"]))[1]).toBe(3);
  }
  const nowhere = { path: join(root, "other"), location: join(root, "missing") };
  expect((await thread.read(nowhere, ["a"]))[1]).toBe(Number.NaN);
});

test("the stat thread answers each question with its own answer, and starts again after it was closed", async () => {
  const { root } = await temporaryWorkspace({ a: "1", b: "12" });
  const thread = createStatThread();
  onTestFinished(() => thread.close());
  const [a, b] = await Promise.all([thread.read(at(root), ["a"]), thread.read(at(root), ["b"])]);
  expect([a[1], b[1]]).toEqual([1, 2]);
  await thread.close();
  expect((await thread.read(at(root), ["b"]))[1]).toBe(2);
});

test("closing the stat thread rejects the questions that wait", async () => {
  const { root } = await temporaryWorkspace({ a: "1" });
  const thread = createStatThread();
  // So many that it cannot have answered by the time it is closed.
  const waiting = thread.read(at(root), Array(300_000).fill("a"));
  waiting.catch(() => {});
  await thread.close();
  await expect(waiting).rejects.toThrow("has ended");
});

test("the stat thread keeps no process alive that has nothing else to do, closed or not", async () => {
  const module = new URL("../../../src/capabilities/search/stat-thread.ts", import.meta.url);
  const program = `
    const { createStatThread } = await import(${JSON.stringify(module)});
    const stats = await createStatThread().read({ path: "/", location: "/" }, ["."]);
    console.log(stats.length);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    timeout: 45_000,
  });
  expect(stdout).toBe("2\n");
});
