import { describe, expect, test } from "vitest";
import { createSessionLog } from "../../../src/kernel/session/session-log.ts";
import { createVariables } from "../../../src/kernel/session/variables.ts";
import type { Store } from "../../../src/kernel/store/store.ts";
import { callEnd, custom, oneTo } from "../store/events.ts";
import { openShakyStore } from "../store/shaky-store.ts";
import { openTemporaryStore } from "../store/temporary-store.ts";

describe("a variable", () => {
  const create = () => createVariables("scope", new Map(), () => {});

  test("is a copy of the value that was set, and cannot be changed", () => {
    const variables = create();
    const value = { list: [1], inner: { a: 1 } };
    variables.set("value", value);
    value.list.push(2);
    expect(variables.get("value")).toEqual({ list: [1], inner: { a: 1 } });
    expect(() => (variables.get("value") as typeof value).list.push(3)).toThrow(TypeError);
    expect(() => {
      (variables.get("value") as typeof value).inner.a = 2;
    }).toThrow(TypeError);
  });

  test("is read at once in the form it will have after a restart", () => {
    const date = new Date(0);
    expect(create().set("date", date).get("date")).toBe(date.toJSON());
    expect(create().set("gaps", { a: undefined }).get("gaps")).toEqual({});
  });

  test("that is not JSON is refused by name, and the old value stays", () => {
    const variables = create().set("kept", 1);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => variables.set("kept", circle)).toThrow(
      /^variable kept: the value cannot be written as JSON: .*circular/,
    );
    expect(() => variables.set("kept", 1n)).toThrow("variable kept: ");
    expect(variables.get("kept")).toBe(1);
  });

  test.each([
    ["Map", new Map([["a", 1]])],
    ["Set", new Set([1])],
    ["Uint8Array", new Uint8Array(2)],
    ["RegExp", /a/],
    ["Error", new Error("a")],
    ["function", () => 1],
    ["number that is not finite", Number.NaN],
  ])("that JSON would lose is refused, however deep it is: a %s", (kind, value) => {
    const variables = create().set("kept", 1);
    expect(() => variables.set("kept", value)).toThrow(`variable kept: a ${kind} cannot be stored`);
    expect(() => variables.set("kept", { list: [value] })).toThrow(
      `variable kept: a ${kind} cannot be stored`,
    );
    expect(variables.get("kept")).toBe(1);
  });

  test("can be gone through and cleared like the entries of a Map", () => {
    const writes: string[] = [];
    const variables = createVariables("scope", new Map(), ({ name }) => writes.push(name));
    variables.set("a", 1).set("b", [2]);
    expect([...variables]).toEqual([...variables.entries()]);
    expect([...variables.values()]).toEqual([1, [2]]);
    const visited: unknown[] = [];
    variables.forEach((value, name, all) => {
      visited.push([name, value, all === variables]);
    });
    expect(visited).toEqual([
      ["a", 1, true],
      ["b", [2], true],
    ]);
    writes.length = 0;
    variables.clear();
    expect(variables.size).toBe(0);
    expect(writes).toEqual(["a", "b"]);
  });

  test("that is set to undefined is deleted", () => {
    const variables = create().set("gone", 1).set("gone", undefined);
    expect(variables.has("gone")).toBe(false);
    expect(variables.delete("gone")).toBe(false);
  });
});

describe("in the store", () => {
  test("a variable set outside of any call is written without waiting for one", async () => {
    const { store } = await openTemporaryStore();
    const { variables } = openVariables(store);
    variables.set("alone", { a: 1 });
    await untilListening(store, () => store.readVariables("scope").then((kept) => kept.has("alone")));
    expect(await store.readVariables("scope")).toEqual(new Map([["alone", { a: 1 }]]));
    expect(await store.readLastSequence("one")).toBe(0);
  });

  test("a variable goes with the end of the call that set it, once however often it was set", async () => {
    const { store } = await openTemporaryStore();
    const writes: number[] = [];
    const watched: Store = {
      ...store,
      append(sessionId, entry) {
        writes.push(entry.variables?.length ?? 0);
        return store.append(sessionId, entry);
      },
    };
    const { log, variables } = openVariables(watched);
    for (const number of oneTo(1000)) variables.set("count", number);
    await log.finish(callEnd("one", "call_1"));
    expect(writes).toEqual([1]);
    expect((await store.readVariables("scope")).get("count")).toBe(1000);
  });

  test("a variable that two sessions share has the value that was set last, whichever session writes last", async () => {
    const { store } = await openTemporaryStore();
    const values = new Map<string, unknown>();
    const [first, second] = ["one", "two"].map((id) => openVariables(store, id, values));
    first!.variables.set("shared", "old");
    second!.variables.set("shared", "new");
    await second!.log.append([custom("second")]);
    await first!.log.append([custom("first")]);
    expect((await store.readVariables("scope")).get("shared")).toBe("new");
  });

  test("a variable whose write failed is written with the next event", async () => {
    const { store, shaky, mend } = await openShakyStore();
    const { log, variables } = openVariables(shaky);
    variables.set("kept", 1);
    await expect(log.append([custom("lost")])).rejects.toThrow("down");
    mend();
    await log.append([custom("kept")]);
    expect(await store.readVariables("scope")).toEqual(new Map([["kept", 1]]));
  });

  test("a note that could not be written shows once, at the next append", async () => {
    const { store, shaky, mend } = await openShakyStore();
    const { log } = openVariables(shaky);
    log.note(custom("lost"));
    await Promise.resolve();
    await Promise.resolve();
    mend();
    expect(() => log.append([custom("told")])).toThrow("down");
    await log.append([custom("kept")]);
    expect(await store.readLastSequence("one")).toBe(1);
  });
});

function openVariables(store: Store, sessionId = "one", values = new Map<string, unknown>()) {
  const log = createSessionLog(store, sessionId);
  return { log, variables: createVariables("scope", values, log.noteVariable) };
}

/** Looks each time the session's log was written to. */
async function untilListening(store: Store, isDone: () => Promise<boolean>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = store.onAppend("one", async () => {
    if (await isDone()) resolve();
  });
  await promise;
  stop();
}
