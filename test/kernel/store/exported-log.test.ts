import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { keptKinds } from "../../../src/capabilities.ts";
import { collectGarbage } from "../../../src/kernel/runtime/places/collect-garbage.ts";
import { exportLog, importLog } from "../../../src/kernel/store/exported-log.ts";
import { intentFolderOf } from "../../../src/kernel/store/open-store.ts";
import type { Store } from "../../../src/kernel/store/store.ts";
import { verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { startChild } from "./child.ts";
import { callEnd, custom } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

test("an export in which anything was changed is not imported at all", async () => {
  const { store } = await openTemporaryStore();
  await store.openSession({ id: "one", workspace: "/" });
  for (const text of ["first", "second"])
    await store.append("one", { events: [custom(text), callEnd("one", text, text)] });
  const lines = await linesOf(store, "one");
  const { store: other } = await openTemporaryStore();
  const importing = (changed: readonly string[]) =>
    importLog({ store: other, workspace: "/", kinds: keptKinds }, toAsync(changed));
  for (const [changed, reason] of [
    [lines.with(2, lines[2]!.replace("first", "third")), "the log is broken at event 2: one of the 2 events"],
    [lines.with(1, lines[1]!.replace("first", "third")), "the log is broken at event 2: one of the 2 events"],
    [lines.with(0, lines[0]!.replaceAll('"one"', '"two"')), "the log is broken at event 2"],
    [lines.slice(0, -1), "the log is broken at event 4: an event is missing at the end"],
    [lines.toSpliced(2, 1), "the log is broken at event 2: an event is missing"],
    [lines.with(1, "{}"), "line 2 is not an event"],
    [lines.with(1, "nonsense"), "line 2 is not a JSON object"],
    [["{}"], "it is not what `toolwright export` prints"],
    [[], "it is empty"],
    // Nothing of these has been checked, and their keys would be those of another log.
    [[...lines, lines[1]!.replace('"sequence":1,', '"sequence":5,')], "there are events after its end"],
    [
      [...lines, lines[1]!.replace('"sequence":1,', '"sequence":-4294967200,')],
      "there are events after its end",
    ],
  ] as const) {
    await expect(importing(changed)).rejects.toThrow(/./);
    await importing(changed).catch(({ message }: Error) => expect(message).toContain(reason));
  }
  expect(await other.listSessions()).toEqual([]);
  expect(await importing(lines)).toEqual({ id: "one", events: 4 });
  await expect(importing(lines)).rejects.toThrow('there is a session "one" already');
});

test.each(["../../../elsewhere", "/etc", "..", "", "a/b", "session #1"])(
  "a session whose id could be a path elsewhere is not imported (%j)",
  async (id) => {
    const { store } = await openTemporaryStore();
    // The store itself takes any id; whoever writes an export by hand can make its chain right.
    await store.openSession({ id, workspace: "/" });
    await store.append(id, { events: [custom("first")] });
    const lines = await linesOf(store, id);
    const { store: other } = await openTemporaryStore();
    await expect(
      importLog({ store: other, workspace: "/", kinds: keptKinds }, toAsync(lines)),
    ).rejects.toThrow("a session's id must be");
    expect(await other.listSessions()).toEqual([]);
  },
);

test("a long import lets other processes write, and is not seen before it is done", async () => {
  const lines = await longExport();
  const { store, file } = await openTemporaryStore();
  const { store: neighbour } = await openTemporaryStore(file);
  const slowly = async function* () {
    for (const [index, line] of lines.entries()) {
      yield line;
      if (index % 1000 !== 500) continue;
      await neighbour.append("neighbour", { events: [callEnd("neighbour", `call-${index}`)] });
      expect(await neighbour.readReceipts({ callId: "long-0" })).toEqual([]);
      expect(await neighbour.rawLogs.list()).toEqual(["neighbour"]);
      await neighbour.openSession({ id: `opened-${index}`, workspace: "/" });
      await neighbour.maintenance.removeSession(
        (await neighbour.listSessions()).find(({ id }) => id !== "neighbour")!,
      );
      // What another process is adding is not taken for what a killed one has left.
      await neighbour.maintenance.eraseRemoved();
    }
  };
  expect(await importLog({ store, workspace: "/", kinds: keptKinds }, slowly())).toEqual({
    id: "long",
    events: 2500,
  });
  expect(await verifyChain(store, "long")).toMatchObject({ receipts: 2500 });
  // Its end is recorded outside of the store, too.
  expect((await store.rawLogs.readClaims("long")).anchor).toMatchObject({ sequence: 2500 });
  expect((await verifyChain(store, "long")).broken).toBeUndefined();
  expect(await neighbour.readReceipts({ callId: "long-0" })).toHaveLength(1);
  expect(await neighbour.readReceipts({ sessionId: "neighbour" })).toHaveLength(3);
});

test("one of two imports of the same session succeeds, and nothing is left of the other", async () => {
  const lines = await longExport();
  const { store, file } = await openTemporaryStore();
  const { store: other } = await openTemporaryStore(file);
  const imports = [store, other].map((each) =>
    importLog({ store: each, workspace: "/", kinds: keptKinds }, toAsync(lines)),
  );
  const outcomes = (await Promise.allSettled(imports)).map(({ status }) => status);
  expect(outcomes.sort()).toEqual(["fulfilled", "rejected"]);
  expect(await store.rawLogs.list()).toEqual(["long"]);
  expect(rowsIn(file)).toBe(2500);
});

test("an import that is killed is not seen, its rows go, and it can be done again", async () => {
  const lines = await longExport();
  const { store, file } = await openTemporaryStore();
  const exported = join(dirname(file), "long.jsonl");
  await writeFile(exported, lines.join("\n"));
  const child = startChild(new URL("child-import-half.ts", import.meta.url), [file, exported, "2200"]);
  expect(await child.nextLine()).toBe("half");
  await child.kill();
  expect(rowsIn(file)).toBe(2000);
  expect(await store.listSessions()).toEqual([]);
  expect(await store.rawLogs.list()).toEqual([]);
  expect(await store.readReceipts({ callId: "long-0" })).toEqual([]);
  await collectGarbage(
    { store, stateFolder: dirname(file), intentFolder: intentFolderOf(file), kinds: keptKinds },
    { retention: {} },
  );
  expect(rowsIn(file)).toBe(0);
  await importLog({ store, workspace: "/", kinds: keptKinds }, toAsync(lines));
  expect((await verifyChain(store, "long")).broken).toBeUndefined();
});

test("an imported session still knows what it has read and its tasks, and trusts nothing because a file says so", async () => {
  const files = [await openTemporaryStore(), await openTemporaryStore()];
  const [from, to] = files.map(({ file }) => `sqlite:${file}`);
  const { session, runtime } = await openTestSession({ store: from! }, { id: "one" });
  await session.tasks.create({ title: "first" });
  await session.tasks.create({ title: "second" });
  const tasks = await session.tasks.list();
  await runtime.close();
  const source = (name: string) => ({ kind: "web", name }) as const;
  await files[0]!.store.append("one", {
    events: [
      { type: "taint-add", source: source("a.example") },
      { type: "taint-clear", clearedBy: "person" },
      { type: "taint-add", source: source("b.example") },
    ],
  });
  const lines = await linesOf(files[0]!.store, "one");
  const { store } = files[1]!;
  await importLog({ store, workspace: runtime.workspace, kinds: keptKinds }, toAsync(lines));
  const imported = await openTestSession({ store: to!, workspace: runtime.workspace }, { id: "one" });
  expect(imported.session.taint.list()).toEqual([source("a.example"), source("b.example")]);
  expect(await imported.session.tasks.list()).toEqual(tasks);
  const fork = await imported.runtime.openSession({ fork: { from: "one" } });
  expect(fork.taint.list()).toEqual(imported.session.taint.list());
});

/** Of a session that takes several transactions. */
async function longExport(): Promise<readonly string[]> {
  const { store } = await openTemporaryStore();
  await store.openSession({ id: "long", workspace: "/" });
  const events = Array.from({ length: 2500 }, (_, index) => callEnd("long", `long-${index}`));
  await store.append("long", { events });
  return linesOf(store, "long");
}

async function linesOf(store: Store, id: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLog(store, id)) lines.push(line);
  return lines;
}

function rowsIn(file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare("SELECT COUNT(*) AS rows FROM events").get()?.rows;
  } finally {
    database.close();
  }
}

async function* toAsync(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
