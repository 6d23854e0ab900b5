import { expect, test } from "vitest";
import { createPathLocks } from "../../../../src/capabilities/files/change/path-locks.ts";

const { signal } = new AbortController();

/** Work that ends when the test says so. */
function pending() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, finish: () => resolve() };
}

test("path locks serialise work on one path, and on a folder and its content, and nothing else", async () => {
  const locks = createPathLocks();
  const order: string[] = [];
  const first = pending();
  const hold = (name: string, paths: string[], work: () => Promise<void> = async () => {}) =>
    locks({ paths, signal }, async () => {
      order.push(name);
      await work();
    });
  const all = [
    hold("first", ["/w/d/a", "/w/x"], () => first.promise),
    hold("same", ["/w/d/a"]),
    hold("folder", ["/w/d"]),
    hold("in folder", ["/w/d/b"]),
    hold("name that only begins alike", ["/w/d/ab"]),
  ];
  await hold("other", ["/w/e"]);
  expect(order).toEqual(["first", "other"]);
  first.finish();
  await Promise.all(all);
  expect(order).toHaveLength(6);
  expect(order.indexOf("folder")).toBeLessThan(order.indexOf("in folder"));
});

test("two holders that lock the same paths in another order both get them", async () => {
  const locks = createPathLocks();
  const run = (paths: string[]) => locks({ paths, signal }, async () => paths.length);
  const rounds = Array.from({ length: 50 }, (_, index) => run(index % 2 === 0 ? ["/a", "/b"] : ["/b", "/a"]));
  expect(await Promise.all(rounds)).toHaveLength(50);
});

test("a waiter for a lock that gives up releases those that wait for it", async () => {
  const locks = createPathLocks();
  const over = new AbortController();
  const held = pending();
  const first = locks({ paths: ["/a"], signal }, () => held.promise);
  const second = locks({ paths: ["/a", "/b"], signal: over.signal }, async () => {});
  const third = locks({ paths: ["/b"], signal }, async () => "third");
  over.abort(new Error("over"));
  await expect(second).rejects.toThrow("over");
  expect(await third).toBe("third");
  held.finish();
  await first;
});

test("a failure releases the lock of its path", async () => {
  const locks = createPathLocks();
  const failing = locks({ paths: ["/a"], signal }, async () => {
    throw new Error("failed");
  });
  await expect(failing).rejects.toThrow("failed");
  expect(await locks({ paths: ["/a"], signal }, async () => "next")).toBe("next");
});
