import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { startChild } from "../store/child.ts";

const childAppend = new URL("../store/child-append.ts", import.meta.url);

async function openShared() {
  const file = join(await temporaryFolder(), "store.sqlite");
  return { file, ...(await openTestSession({ store: `sqlite:${file}` }, { id: "here" })) };
}

test("a watch tells of the sessions that another process has written to, and a second watch too", async () => {
  const { runtime, file } = await openShared();
  const child = startChild(childAppend, [file, "elsewhere", "2", "a"]);
  expect(await child.nextLine()).toBe("ready");
  const watches = [runtime.watch(), runtime.watch()];
  for (const watch of watches) expect(await watch.next()).toEqual({ done: false, value: { sessionIds: [] } });
  child.tell();
  for (const watch of watches) {
    const told: string[] = [];
    while (!told.includes("elsewhere")) told.push(...((await watch.next()).value?.sessionIds ?? []));
    expect(new Set(told)).toEqual(new Set(["elsewhere"]));
  }
  await child.rest();
});

test("writes of this process are told at once, and those that come faster than they are taken are told together", async () => {
  const { runtime, session } = await openTestSession({}, { id: "here" });
  const watch = runtime.watch();
  await watch.next();
  const next = watch.next();
  session.variables.set("a", 1);
  expect((await next).value).toEqual({ sessionIds: ["here"] });

  const other = await runtime.openSession({ id: "other" });
  for (let count = 0; count < 100; count += 1) await other.call("todo_read", {});
  await session.call("todo_read", {});
  const { value } = await watch.next();
  expect(new Set(value?.sessionIds)).toEqual(new Set(["here", "other"]));
});

test("a request for approval is told to a watch of another runtime on the same store", async () => {
  const { runtime, file, workspace } = await openShared();
  const asking = await openTestSession({
    store: `sqlite:${file}`,
    workspace,
    permissions: { mode: "ask" },
    approvals: "queue",
  });
  const watch = runtime.watch();
  await watch.next();
  const write = asking.session.call("file_write", { path: "a", content: "x" });
  let waiting = await runtime.approvals.list();
  while (waiting.length === 0) {
    expect((await watch.next()).done).toBe(false);
    waiting = await runtime.approvals.list();
  }
  await runtime.approvals.decide(waiting[0]!.id, "allow");
  expect((await write).status).toBe("done");
});

test("a watch ends with its signal, with its reader and with the runtime, and refuses what it does not know", async () => {
  const { runtime } = await openShared();
  const controller = new AbortController();
  const stopped = runtime.watch({ signal: controller.signal });
  await stopped.next();
  const waiting = stopped.next();
  controller.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });

  const left = runtime.watch();
  for await (const change of left) {
    expect(change.sessionIds).toEqual([]);
    break;
  }
  expect((await left.next()).done).toBe(true);

  const open = runtime.watch();
  await open.next();
  const last = open.next();
  await runtime.close();
  expect((await last).done).toBe(true);
  expect(() => runtime.watch({ every: 1 } as never)).toThrow("every");
});
