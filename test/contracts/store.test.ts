import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { chainStartOf } from "../../src/kernel/store/chain-hash.ts";
import { openStore } from "../../src/kernel/store/open-store.ts";
import { ClaimLost, OwnershipLost, type Store } from "../../src/kernel/store/store.ts";
import { verifyChain } from "../../src/kernel/store/verify-chain.ts";
import { allEvents, callEnd, custom, oneTo, progress } from "../kernel/store/events.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const kinds: { name: string; address(): Promise<string> }[] = [
  { name: "memory:", address: async () => "memory:" },
  { name: "a SQLite file", address: async () => `sqlite:${join(temporaryFolder(), "store.sqlite")}` },
];

function ownerOf(pid: number) {
  return { pid, startedAt: "", host: "here", since: "" };
}

describe.each(kinds)("the store in $name", ({ address }) => {
  const open = async (): Promise<Store> => {
    const store = await openStore(await address(), { defaultFile: "" });
    onTestFinished(() => store.close());
    return store;
  };

  test("a session is made once and resumed afterwards, with its task and workspace", async () => {
    const store = await open();
    const made = await store.openSession({ id: "one", taskId: "task", workspace: "/here" });
    expect(made).toMatchObject({ id: "one", taskId: "task", workspace: "/here", calls: 0, resumed: false });
    expect(made).not.toHaveProperty("closedAt");
    await store.closeSession("one");
    const [closed] = await store.listSessions();
    expect(closed!.closedAt).toMatch(/^\d{4}-.*Z$/);
    const resumed = await store.openSession({ id: "one", workspace: "/elsewhere" });
    expect(resumed).toMatchObject({
      taskId: "task",
      workspace: "/here",
      createdAt: made.createdAt,
      resumed: true,
    });
    expect(resumed).not.toHaveProperty("closedAt");
  });

  test("a session without a task is a task of its own, and every session is listed with its calls", async () => {
    const store = await open();
    const { taskId } = await store.openSession({ id: "one", workspace: "/" });
    await store.openSession({ id: "two", workspace: "/" });
    expect(taskId).toBe("one");
    for (const callId of ["a", "b"]) await store.append("two", { events: [callEnd("two", callId)] });
    const sessions = await store.listSessions();
    expect(sessions.map(({ id, calls }) => ({ id, calls }))).toEqual(
      expect.arrayContaining([
        { id: "one", calls: 0 },
        { id: "two", calls: 2 },
      ]),
    );
    expect(sessions).toHaveLength(2);
  });

  test("a session has one owner at a time, and who has lost it writes nothing more, alone or with others", async () => {
    const store = await open();
    const take = (id: string, pid: number) =>
      store.openSession({
        id,
        workspace: "/",
        takeLease: (lease) => ({ fence: (lease?.fence ?? 0) + 1, owner: ownerOf(pid) }),
      });
    const write = async (label: string, fence?: number) =>
      store.append("one", { events: [custom(label)], ...(fence !== undefined && { fence }) });
    expect(await take("one", 1)).toMatchObject({ resumed: false, owner: { pid: 1 } });
    await write("a", 1);
    await expect(write("never", 2)).rejects.toBeInstanceOf(OwnershipLost);
    expect([1, 2].map((fence) => store.isOwnedBy("one", fence))).toEqual([true, false]);
    expect(await take("one", 2)).toMatchObject({ resumed: true, owner: { pid: 2 } });
    expect([1, 2].map((fence) => store.isOwnedBy("one", fence))).toEqual([false, true]);
    await take("two", 3);
    const outcomes = await Promise.allSettled([
      write("late", 1),
      write("b", 2),
      store.append("two", { events: [custom("beside")], fence: 1 }),
      // Who leaves something for the owner has no lease.
      store.append("one", { events: [], variables: [{ scope: "inbox:one", name: "item", value: 1 }] }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
    const given = { scope: "session-owners", name: "one", value: { fence: 2 } };
    await store.append("one", { events: [custom("c")], variables: [given], fence: 2 });
    expect(await store.readLease("one")).toEqual({ fence: 2 });
    expect((await store.listSessions()).map(({ id, owner }) => [id, owner?.pid]).sort()).toEqual([
      ["one", undefined],
      ["two", 3],
    ]);
    const refuse = () => {
      throw new TypeError("not now");
    };
    await expect(store.openSession({ id: "one", workspace: "/", takeLease: refuse })).rejects.toThrow(
      TypeError,
    );
    expect((await allEvents(store, "one")).map((event) => "eventType" in event && event.eventType)).toEqual([
      ...["a", "b", "c"],
    ]);
    expect(await store.readLease("none")).toBeUndefined();
  });

  test("a process that is woken is told, until it no longer listens", async () => {
    const { lives } = await open();
    const told = Promise.withResolvers<boolean>();
    const stop = lives.onWake((isWoken) => isWoken && told.resolve(isWoken));
    lives.wake(lives.own);
    expect(await told.promise).toBe(true);
    stop();
  });

  test("a session keeps the dialect that was chosen last, and a choice that fails records nothing", async () => {
    const store = await open();
    const seen: unknown[] = [];
    const openWith = (id: string, dialect: string) =>
      store.openSession({
        id,
        workspace: "/",
        chooseDialect: (recorded) => {
          seen.push(recorded);
          return dialect;
        },
      });
    expect((await openWith("one", "kode")).dialect).toBe("kode");
    expect((await openWith("one", "pulse")).dialect).toBe("pulse");
    expect((await store.openSession({ id: "one", workspace: "/" })).dialect).toBe("pulse");
    expect(seen).toEqual([undefined, "kode"]);
    const chooseDialect = () => {
      throw new TypeError("no such dialect");
    };
    await expect(store.openSession({ id: "two", workspace: "/", chooseDialect })).rejects.toThrow("no such");
    expect(await store.openSession({ id: "three", workspace: "/" })).not.toHaveProperty("dialect");
    const listed = (await store.listSessions()).map(({ id, dialect }) => `${id} ${dialect}`);
    expect(listed.sort()).toEqual(["one pulse", "three undefined"]);
  });

  test("the parent of a session is kept with it, and a session without one gets none later", async () => {
    const store = await open();
    await store.openSession({ id: "one", workspace: "/" });
    const parent = { sessionId: "one", agentId: "agent_1", title: 'look for "ü"', kind: "reader" };
    const made = await store.openSession({ id: "two", workspace: "/", parent });
    expect(made.parent).toEqual(parent);
    await store.closeSession("two");
    const { parent: kept } = await store.openSession({ id: "two", workspace: "/" });
    expect(kept).toEqual(parent);
    const other = { sessionId: "two", agentId: "agent_2", title: "t" };
    expect((await store.openSession({ id: "one", workspace: "/", parent: other })).parent).toBeUndefined();
    const listed = (await store.listSessions()).map((session) => [session.id, session.parent]);
    expect(new Map(listed as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        ["one", undefined],
        ["two", parent],
      ]),
    );
  });

  test("events come back in order, numbered from 1 without gaps in each session", async () => {
    const store = await open();
    const appends = oneTo(300).flatMap((number) => [
      store.append("one", { events: [custom("first", number), custom("second", number)] }),
      store.append("two", { events: [custom("other", number)] }),
    ]);
    await Promise.all(appends);
    const one = await allEvents(store, "one");
    expect(one.map(({ sequence }) => sequence)).toEqual(oneTo(600));
    expect(one.map((event) => event.type === "custom" && event.data)).toEqual(
      oneTo(300).flatMap((number) => [number, number]),
    );
    expect((await allEvents(store, "two")).map(({ sequence }) => sequence)).toEqual(oneTo(300));
    expect(await store.readLastSequence("one")).toBe(600);
    expect(await store.readLastSequence("nobody")).toBe(0);
  });

  test("an event comes back as it was when it was appended", async () => {
    const store = await open();
    const data: { text: string; list: unknown[] } = {
      text: "ünï\u0000\u{1f600}\ud800",
      list: [1, null, { deep: true }],
    };
    const append = store.append("one", { events: [custom("kept", data)] });
    data.list.push("too late");
    await append;
    expect(await allEvents(store, "one")).toEqual([
      {
        ...custom("kept", { ...data, list: data.list.slice(0, 3) }),
        sessionId: "one",
        sequence: 1,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        channel: "monitor",
      },
    ]);
  });

  test("a read of events starts after a sequence number, ends at a limit and keeps to the channels asked for", async () => {
    const store = await open();
    await store.append("one", { events: [custom("a"), progress(1), custom("b"), progress(2), progress(3)] });
    const sequences = async (query: Parameters<Store["readEvents"]>[1]) =>
      (await store.readEvents("one", query)).map(({ sequence }) => sequence);
    expect(await sequences({ since: 2, limit: 2 })).toEqual([3, 4]);
    expect(await sequences({ since: 0, limit: 9, channels: ["progress"] })).toEqual([2, 4, 5]);
    expect(await sequences({ since: 2, limit: 1, channels: ["progress"] })).toEqual([4]);
    expect(await sequences({ since: 0, limit: 9, channels: ["control"] })).toEqual([]);
    expect(await sequences({ since: 0, limit: 9, channels: ["monitor", "progress"] })).toEqual(oneTo(5));
    expect(await sequences({ since: 5, limit: 9 })).toEqual([]);
  });

  test("the end of a call gives its receipt, found by call and by session, newest first, up to a limit", async () => {
    const store = await open();
    const append = async (sessionId: string, callId: string) =>
      (await store.append(sessionId, { events: [callEnd(sessionId, callId)] }))!;
    const first = await append("one", "a");
    const other = await append("two", "b");
    const second = await append("one", "c");
    expect(first).toMatchObject({ callId: "a", position: 1, previousHash: chainStartOf("one") });
    expect(second).toMatchObject({ callId: "c", position: 2, previousHash: first.hash });
    expect(other).toMatchObject({ position: 1, previousHash: chainStartOf("two") });
    expect(await store.readReceipts({ sessionId: "one" })).toEqual([second, first]);
    expect(await store.readReceipts({ sessionId: "one", limit: 1 })).toEqual([second]);
    expect(await store.readReceipts({ callId: "b" })).toEqual([other]);
    expect(await store.readReceipts({ sessionId: "one", callId: "b" })).toEqual([]);
    expect(await store.readReceipts({})).toHaveLength(3);
    const { end } = await store.rawLogs.readClaims("one");
    expect(end).toMatchObject({ receipts: 2, sequence: 2, hash: second.hash });
    expect(await store.rawLogs.readClaims("nobody")).toEqual({ lastSequence: 0 });
    expect(await verifyChain(store, "one")).toEqual({ sessionId: "one", events: 2, receipts: 2 });
  });

  test("the receipts of many sessions come newest first, and a page of them goes on behind a sequence number", async () => {
    const store = await open();
    const calls = oneTo(30).map((number) => ({
      sessionId: `session_${number % 4}`,
      callId: `call_${number}`,
    }));
    for (const { sessionId, callId } of calls) {
      await store.append(sessionId, { events: [custom("between"), callEnd(sessionId, callId)] });
      await untilTheClockHasMoved();
    }
    const found = await store.readReceipts({});
    expect(found.map(({ callId }) => callId).sort()).toEqual(calls.map(({ callId }) => callId).sort());
    const events = await Promise.all(oneTo(4).map((number) => allEvents(store, `session_${number - 1}`)));
    const timeOf = new Map(
      events.flat().map((event) => [event.type === "call-end" && event.callId, event.at]),
    );
    const times = found.map(({ callId }) => timeOf.get(callId)!);
    expect(times).toEqual(times.toSorted().reverse());
    const positions = found
      .filter(({ sessionId }) => sessionId === "session_1")
      .map(({ position }) => position);
    expect(positions).toEqual(oneTo(8).reverse());
    for (const limit of [0, 1, 7, 31])
      expect(await store.readReceipts({ limit })).toEqual(found.slice(0, limit));
    const rows = await store.rawLogs.readRows("session_1", { since: 4, limit: 2 });
    expect(rows.map(({ sequence, position }) => ({ sequence, position }))).toEqual([
      { sequence: 5, position: null },
      { sequence: 6, position: 3 },
    ]);
    expect((await store.rawLogs.list()).toSorted()).toEqual(
      oneTo(4).map((number) => `session_${number - 1}`),
    );
  });

  test("other events get no receipt", async () => {
    const store = await open();
    expect(await store.append("one", { events: [custom("a")] })).toBeUndefined();
    expect(await store.readReceipts({})).toEqual([]);
  });

  test("a claim that several make at once is given to one, and of the others' entries nothing is written", async () => {
    const store = await open();
    const claim = (from: unknown, to: unknown) =>
      Promise.resolve().then(() =>
        store.append("s", {
          events: [custom(String(to))],
          variables: [{ scope: "turn", name: "holder", value: to }],
          requires: [{ scope: "turn", name: "holder", value: from }],
        }),
      );
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => claim(undefined, { name })));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(ClaimLost) });
    expect(await store.readVariables("turn")).toEqual(new Map([["holder", { name: "a" }]]));
    expect(await store.readLastSequence("s")).toBe(1);
    await claim({ name: "a" }, undefined);
    await expect(claim({ name: "a" }, "late")).rejects.toThrow("claimed");
    await claim(undefined, "again");
    expect(await store.listScopes("tu")).toEqual(["turn"]);
    expect(await store.listScopes("to")).toEqual([]);
  });

  test("variables are set, overwritten and deleted, each scope for itself, and may be any JSON", async () => {
    const store = await open();
    const values = {
      text: "ünï\u0000",
      number: 1.5,
      yes: true,
      nothing: null,
      list: [1, [2]],
      object: { a: { b: "" } },
    };
    const writes = Object.entries(values).map(([name, value]) => ({ scope: "one", name, value }));
    await store.append("s", { events: [], variables: writes });
    await store.append("s", { events: [], variables: [{ scope: "two", name: "text", value: "other" }] });
    expect(Object.fromEntries(await store.readVariables("one"))).toEqual(values);
    await store.append("s", {
      events: [],
      variables: [
        { scope: "one", name: "text", value: "new" },
        { scope: "one", name: "list", value: undefined },
        { scope: "one", name: "never-there", value: undefined },
      ],
    });
    const { list: _, ...rest } = values;
    expect(Object.fromEntries(await store.readVariables("one"))).toEqual({ ...rest, text: "new" });
    expect(await store.readVariables("two")).toEqual(new Map([["text", "other"]]));
    expect(await store.readVariables("three")).toEqual(new Map());
  });

  test("an appended event is read at once, also before its append has returned", async () => {
    const store = await open();
    for (const number of oneTo(50)) {
      const append = store.append("one", {
        events: [callEnd("one", `call_${number}`)],
        variables: [{ scope: "s", name: "n", value: number }],
      });
      expect(await allEvents(store, "one")).toHaveLength(number);
      expect(await store.readLastSequence("one")).toBe(number);
      expect((await store.readVariables("s")).get("n")).toBe(number);
      expect(await store.readReceipts({ callId: `call_${number}` })).toHaveLength(1);
      await append;
    }
  });

  test("an event that is not JSON fails alone, and events appended beside it are written", async () => {
    const store = await open();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const results = await Promise.allSettled(
      [custom("before"), custom("circle", circle), custom("after")].map(async (event) =>
        store.append("one", { events: [event] }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await allEvents(store, "one")).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test("a listener to a session is told of its appends and of no others, until it stops", async () => {
    const store = await open();
    let told = 0;
    const stop = store.onAppend("one", () => {
      told += 1;
    });
    const append = async (sessionId: string) => {
      await store.append(sessionId, { events: [custom("a")] });
      await store.readLastSequence(sessionId);
    };
    await append("two");
    expect(told).toBe(0);
    await append("one");
    expect(told).toBe(1);
    stop();
    await append("one");
    expect(told).toBe(1);
  });

  test("can be closed twice, and refuses reads after that", async () => {
    const store = await open();
    await store.append("one", { events: [custom("a")] });
    await store.close();
    await store.close();
    await expect(store.readLastSequence("one")).rejects.toThrow("not open");
  });
});

/** Times in the log are in milliseconds: what is to have another one must wait for it. */
async function untilTheClockHasMoved(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await new Promise(setImmediate);
}
