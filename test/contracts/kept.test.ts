import { describe, expect, test } from "vitest";
import { keptKinds } from "../../src/capabilities.ts";
import type { SessionEvent } from "../../src/kernel/events/session-event.ts";
import { collectGarbage } from "../../src/kernel/runtime/places/collect-garbage.ts";
import { openKept } from "../../src/kernel/session/kept/kept.ts";
import { createSessionLog } from "../../src/kernel/session/session-log.ts";
import { exportLog, importLog } from "../../src/kernel/store/exported-log.ts";
import { keptIn } from "../../src/kernel/store/kept/kept-kind.ts";
import type { Store } from "../../src/kernel/store/store.ts";
import { findDamagedVariables } from "../../src/kernel/store/verify-chain.ts";
import { openTemporaryStore } from "../kernel/store/temporary-store.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What no kind of kept state has ever stored. */
const odd = { isOdd: ["value"] };

const page = { kind: "web", name: "a.example" } as const;
const at = "2026-01-01T00:00:00.000Z";
const task = {
  id: "1",
  title: "One",
  status: "pending",
  dependsOn: [],
  createdAt: at,
  updatedAt: at,
} as const;
const taskChange = { type: "todo-change", changed: [{ ...task, blockedBy: [] }], removed: [] } as const;

interface Told {
  readonly events: readonly SessionEvent[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** By scope of a kind that a log alone may give: events of a log, and what is kept by them. */
const toldByLogs: Readonly<Record<string, Told>> = {
  taint: { events: [{ type: "taint-add", source: page }], values: { "web a.example": page } },
  tasks: { events: [taskChange], values: { "1": { ...task, position: 1 } } },
};
const events = Object.values(toldByLogs).flatMap((told) => told.events);

async function openClosedSession(): Promise<Store> {
  const { store } = await openTemporaryStore();
  await store.openSession({ id: "one", taskId: "one", workspace: "/" });
  await store.closeSession("one");
  return store;
}

async function takeLease(store: Store, fence: number): Promise<void> {
  await store.openSession({ id: "one", workspace: "/", takeLease: () => ({ fence }) });
}

test("kept state: each kind has a place of its own in the store", () => {
  const scopes = keptKinds.map(({ scope }) => scope);
  expect(new Set(scopes).size).toBe(scopes.length);
  expect(scopes.filter((scope) => scope.includes(":"))).toEqual([]);
});

test("kept state: taint and tasks are told by logs, and nothing else is, such as a budget or an approval", () => {
  const kinds = keptKinds.filter(({ replay }) => replay !== undefined);
  expect(kinds.map(({ scope }) => scope).sort()).toEqual(Object.keys(toldByLogs));
});

describe.each(keptKinds.map((kind) => [kind.scope, kind] as const))("kept state %s", (_scope, kind) => {
  test("a damaged value is left out or stood for where it is read, and told", async () => {
    const store = await openClosedSession();
    const kept = keptIn(store, kind, "one");
    await store.append("one", { events: [], variables: [kept.write("name", odd)] });
    const told = await findDamagedVariables(store, { kinds: keptKinds });
    if (kind.isValue(odd)) {
      expect([told, await kept.get("name")]).toEqual([[], odd]);
      return;
    }
    expect(told).toEqual([{ scope: kept.scope, name: "name" }]);
    expect(await kept.get("name")).toEqual(kind.instead?.("name"));
    expect((await kept.list()).size).toBe(kind.instead === undefined ? 0 : 1);
  });

  test("nothing is written once another process owns the session", async () => {
    const store = await openClosedSession();
    let isLost = false;
    const owner = {
      fence: 1,
      onLost: () => {
        isLost = true;
      },
    };
    const log = createSessionLog(store, "one", owner);
    const kept = openKept({ store, log }, "one")(kind);
    await takeLease(store, 1);
    kept.set("before", odd);
    await log.flush();
    await takeLease(store, 2);
    kept.set("name", odd);
    await expect(log.flush()).rejects.toMatchObject({ code: "session-lost" });
    expect([...(await store.readVariables(kept.scope)).keys()]).toEqual(["before"]);
    expect(isLost).toBe(true);
  });

  test("an exported session leaves it behind, so that no file gives what a person or a process has kept", async () => {
    const store = await openClosedSession();
    const kept = keptIn(store, kind, "one");
    await store.append("one", { events: [], variables: [kept.write("name", odd)] });
    const { store: other } = await openTemporaryStore();
    await importLog({ store: other, workspace: "/", kinds: keptKinds }, exportLog(store, "one"));
    expect((await other.listSessions()).map(({ id }) => id)).toEqual(["one"]);
    expect(await other.listScopes(kept.scope)).toEqual([]);
  });

  test("an imported session has the values that its log tells, and no others", async () => {
    const store = await openClosedSession();
    await store.append("one", { events, variables: [keptIn(store, kind, "one").write("name", odd)] });
    const { store: other } = await openTemporaryStore();
    await importLog({ store: other, workspace: "/", kinds: keptKinds }, exportLog(store, "one"));
    const imported = await keptIn(other, kind, "one").list();
    expect(Object.fromEntries(imported)).toEqual(toldByLogs[kind.scope]?.values ?? {});
  });

  test("a value that an imported log tells in another form is left out", async () => {
    const store = await openClosedSession();
    const forms = [
      {},
      { source: {}, changed: {}, removed: 1 },
      { source: null, changed: [null, 1, { id: 1 }] },
    ];
    const malformed = events.flatMap(({ type }) => forms.map((form) => ({ ...form, type }) as SessionEvent));
    await store.append("one", { events: malformed });
    const { store: other } = await openTemporaryStore();
    await importLog({ store: other, workspace: "/", kinds: keptKinds }, exportLog(store, "one"));
    expect(await other.listScopes(kind.scope)).toEqual([]);
  });

  test("a fork begins with the values that logs tell of its source, and no others", async () => {
    const { store, file } = await openTemporaryStore();
    const { runtime } = await openTestSession({ store: `sqlite:${file}` });
    await (await runtime.openSession({ id: "one" })).close();
    const { values } = toldByLogs[kind.scope] ?? { values: {} };
    const kept = keptIn(store, kind, "one");
    const variables = Object.entries({ ...values, name: odd }).map(([name, value]) =>
      kept.write(name, value),
    );
    await store.append("one", { events, variables });
    const fork = await runtime.openSession({ id: "two", fork: { from: "one" } });
    await fork.close();
    const forked = keptIn(store, kind, "two");
    expect(Object.fromEntries(await forked.list())).toMatchObject(values);
    expect((await store.readVariables(forked.scope)).has("name")).toBe(kind.owner === "store");
  });

  test("goes with its session, unless it keeps the session from being removed", async () => {
    const store = await openClosedSession();
    const kept = keptIn(store, kind, "one");
    await store.append("one", { events: [], variables: [kept.write("name", odd)] });
    const holds = [...(await kept.list()).values()].some((value) => kind.holdsSession?.(value));
    const folder = temporaryFolder();
    const retention = { sessionDays: 0, undoDays: 0 };
    const places = { store, stateFolder: folder, intentFolder: folder, kinds: keptKinds };
    expect((await collectGarbage(places, { retention })).sessions).toEqual(holds ? [] : ["one"]);
    const isLeft = holds || kind.owner === "store";
    expect((await store.readVariables(kept.scope)).size).toBe(isLeft ? 1 : 0);
  });
});
