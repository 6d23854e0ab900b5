import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Runtime } from "../../../src/index.ts";
import { startChild } from "../../kernel/store/child.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { until } from "../../support/until.ts";
import { createPlace } from "../open-temporary-runtime.ts";

const script = new URL("child-suspended.ts", import.meta.url);

/** Every file of a folder, with its text. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")])),
  );
}

async function isStopped(pid: number): Promise<boolean> {
  return /\) T /.test(await readFile(`/proc/${pid}/stat`, "utf8"));
}

/** Opens a session of a process that does not answer, without waiting for as long as it takes. */
async function takeOver(runtime: Runtime, id: string): Promise<void> {
  stopClock();
  let isOpen = false;
  const opening = runtime.openSession({ id }).finally(() => {
    isOpen = true;
  });
  await until(async () => {
    await vi.advanceTimersByTimeAsync(500);
    return isOpen;
  });
  vi.useRealTimers();
  await opening;
}

const old = { "a.txt": "old\n", "b.txt": "old\n" };

test("a process suspended in the middle of a change makes no more of it when it goes on, and the steps it had made are taken back", async () => {
  const place = await createPlace();
  const jobs = ["write", "edits", "patch", "move", "delete", "folder", "undo", "command"];
  const child = startChild(script, [place.workspace, place.store, ...jobs]);
  const runtime = await place.open();
  for (const job of jobs) {
    expect(await child.nextLine(), job).toBe("suspended");
    await until(() => isStopped(child.pid));
    await takeOver(runtime, job);
    const [sealed] = await runtime.receipts({ sessionId: job, limit: 1 });
    expect(sealed, job).toMatchObject({ status: "sealed", effects: { writes: [] } });
    const content = job === "undo" ? { ...old, "a.txt": "new\n" } : old;
    expect(await contentOf(join(place.workspace, job)), job).toEqual(content);
    process.kill(child.pid, "SIGCONT");
    expect(await child.nextLine(), job).toBe("session-lost");
    expect(await contentOf(join(place.workspace, job)), job).toEqual(content);
    const [{ broken } = {}] = await runtime.verify(job);
    expect(broken, job).toBeUndefined();
  }
  await child.rest();
  expect(await readdir(place.workspace)).toEqual([...jobs].sort());
});

test("a step during which its process was suspended is part of its call's end, once it was made", async () => {
  const place = await createPlace();
  const child = startChild(script, [place.workspace, place.store, "inside"]);
  const runtime = await place.open();
  await child.nextLine();
  await until(() => isStopped(child.pid));
  // Nobody can tell what came of the step before the process goes on, or dies.
  await takeOver(runtime, "inside");
  expect(await runtime.receipts({ callId: "inside" })).toEqual([]);
  process.kill(child.pid, "SIGCONT");
  expect(await child.nextLine()).toBe("session-lost");
  const next = await place.open();
  await next.openSession({ id: "another" });
  expect(await next.receipts({ callId: "inside" })).toMatchObject([
    { status: "sealed", effects: { writes: ["inside/a.txt"] } },
  ]);
  expect(await contentOf(join(place.workspace, "inside"))).toEqual({ ...old, "a.txt": "new\n" });
  await child.rest();
});
