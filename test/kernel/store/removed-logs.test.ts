import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { keptKinds } from "../../../src/capabilities.ts";
import { collectGarbage } from "../../../src/kernel/runtime/places/collect-garbage.ts";
import { callEnd } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

test("a process that is killed while it removes a session leaves nothing that is listed, and the next one removes the rest", async () => {
  const { store, file } = await openTemporaryStore();
  const folder = dirname(file);
  for (const id of ["gone", "again", "kept"]) {
    await store.openSession({ id, workspace: "/" });
    const calls = Array.from({ length: 1200 }, (_, each) => callEnd(id, `${id}-${each}`));
    await store.append(id, { events: calls });
    await mkdir(join(folder, "outputs", id, "output.txt"), { recursive: true });
  }
  // As far as it came.
  for (const session of await store.listSessions())
    if (session.id !== "kept") expect(await store.maintenance.removeSession(session)).toBe(true);
  expect(await store.rawLogs.list()).toEqual(["kept"]);
  expect((await store.readReceipts({})).map(({ sessionId }) => sessionId)).not.toContain("gone");
  expect(await store.readReceipts({ sessionId: "gone" })).toEqual([]);
  expect(await store.readReceipts({ callId: "gone-1" })).toEqual([]);
  // Whoever opens one of that name in the meantime has a new log, and a folder that is its own.
  await store.openSession({ id: "again", workspace: "/" });
  await store.append("again", { events: [callEnd("again", "new")] });

  await collectGarbage(
    { store, stateFolder: folder, intentFolder: join(folder, "intents"), kinds: keptKinds },
    { retention: {} },
  );
  expect(await store.maintenance.listRemoved()).toEqual([]);
  expect((await readdir(join(folder, "outputs"))).sort()).toEqual(["again", "kept"]);
  expect(await store.rawLogs.list()).toEqual(["kept", "again"]);
  expect(await store.readReceipts({ sessionId: "again" })).toHaveLength(1);
  const database = new DatabaseSync(file);
  expect(database.prepare("SELECT COUNT(*) AS rows FROM events").get()).toEqual({ rows: 1201 });
  database.close();
});
