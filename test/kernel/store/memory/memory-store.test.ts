import { expect, test } from "vitest";
import { createMemoryStore } from "../../../../src/kernel/store/memory/memory-store.ts";
import { callEnd } from "../events.ts";

test("of closed sessions, the oldest are forgotten once they hold too much, with all that was theirs", async () => {
  const store = createMemoryStore({ maxClosedLength: 10_000 });
  const fill = async (id: string, taskId = id) => {
    await store.openSession({ id, taskId, workspace: "/" });
    await store.append(id, {
      events: [callEnd(id, `call-${id}`, "x".repeat(4000))],
      variables: [
        { scope: `session:${id}`, name: "own", value: 1 },
        { scope: `task:${taskId}`, name: "shared", value: 1 },
      ],
    });
  };
  await fill("open");
  for (const id of ["one", "two", "three", "four"]) {
    await fill(id, id === "one" ? "open" : id);
    await store.closeSession(id);
  }
  const left = (await store.listSessions()).map(({ id }) => id).sort();
  expect(left).toEqual(["four", "open", "three"]);
  expect(await store.readReceipts({})).toHaveLength(3);
  expect((await store.readVariables("session:two")).size).toBe(0);
  expect((await store.readVariables("task:two")).size).toBe(0);
  // Another session works on the same task.
  expect((await store.readVariables("task:open")).size).toBe(1);
  expect((await store.readVariables("session:three")).size).toBe(1);
  expect((await store.openSession({ id: "one", workspace: "/" })).resumed).toBe(false);
});
