import { createHash } from "node:crypto";
import { chmod, open, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openIntentLog } from "../../../../src/capabilities/files/intents/intent-log.ts";
import { openBlobStore } from "../../../../src/kernel/store/blobs/blob-store.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

test("a blob store keeps bytes and files under their hash, for the owner alone, and once", async () => {
  const folder = await temporaryFolder();
  const blobs = await openBlobStore(join(folder, "blobs"));
  await writeFile(join(folder, "a.txt"), "hello");
  await chmod(join(folder, "a.txt"), 0o777);
  const hash = hashOf("hello");
  expect(await blobs.keepFile(join(folder, "a.txt"))).toEqual({ hash, kept: true });
  expect(await blobs.keepBytes(Buffer.from("hello"))).toEqual({ hash, kept: true });
  expect(String(await blobs.read(hash))).toBe("hello");
  expect(await readdir(join(folder, "blobs"))).toEqual([hash]);
  expect((await stat(join(folder, "blobs"))).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, "blobs", hash))).mode & 0o777).toBe(0o600);
  await writeFile(join(folder, "a.txt"), "changed in place");
  expect(String(await blobs.read(hash))).toBe("hello");
});

test("a blob that has to survive a power cut is flushed, content and name, before it counts as kept", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "a.txt"), "hello");
  const flushed = await watchFlushes();
  const careless = await openBlobStore(join(folder, "careless"));
  await careless.keepFile(join(folder, "a.txt"));
  await careless.keepBytes(Buffer.from("other"));
  expect(flushed()).toBe(0);
  const careful = await openBlobStore(join(folder, "careful"), { durability: "power-loss" });
  expect(flushed()).toBe(1);
  await careful.keepFile(join(folder, "a.txt"));
  expect(flushed()).toBe(3);
  await careful.keepBytes(Buffer.from("other"));
  expect(flushed()).toBe(5);
  expect(String(await careful.read(hashOf("hello")))).toBe("hello");
});

/** Counts this thread's syncs to disk, which still happen. */
async function watchFlushes(): Promise<() => number> {
  const handle = await open(tmpdir());
  const handles: { sync(): Promise<void> } = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = handles;
  let count = 0;
  handles.sync = function (this: { sync(): Promise<void> }) {
    count += 1;
    return sync.call(this);
  };
  onTestFinished(() => {
    handles.sync = sync;
  });
  return () => count;
}

test("a blob store finds nothing it never stored, and takes no paths", async () => {
  const folder = await temporaryFolder();
  const blobs = await openBlobStore(join(folder, "blobs"));
  await writeFile(join(folder, "secret"), "secret");
  expect(await blobs.read(hashOf("other"))).toBeUndefined();
  expect(await blobs.read("../secret")).toBeUndefined();
});

test("a blob store over its quota drops what was not used for longest", async () => {
  const folder = await temporaryFolder();
  const blobs = await openBlobStore(folder, { quotaBytes: 3 * 4096 });
  // Each takes one block of the disk.
  const texts = ["a", "b", "c"].map((letter) => letter.repeat(100));
  for (const [index, text] of texts.entries()) {
    const { hash } = await blobs.keepBytes(Buffer.from(text));
    await utimes(join(folder, hash), 1000 + index, 1000 + index);
  }
  // Used again, so the next one is older.
  await blobs.read(hashOf(texts[0]!));
  await blobs.keepBytes(Buffer.from("d".repeat(100)));
  expect(await blobs.read(hashOf(texts[1]!))).toBeUndefined();
  expect(await blobs.read(hashOf(texts[0]!))).toBeDefined();
  expect(await blobs.read(hashOf(texts[2]!))).toBeDefined();
});

test("a blob store says that it did not keep what is larger than the quota", async () => {
  const folder = await temporaryFolder();
  const blobs = await openBlobStore(join(folder, "blobs"), { quotaBytes: 4 });
  await writeFile(join(folder, "a.txt"), "hello");
  expect(await blobs.keepBytes(Buffer.from("hello"))).toEqual({ hash: hashOf("hello"), kept: false });
  expect(await blobs.keepFile(join(folder, "a.txt"))).toEqual({ hash: hashOf("hello"), kept: false });
  expect(await readdir(join(folder, "blobs"))).toEqual([]);
});

test("a blob store may be used by many at once, also through several openings", async () => {
  const folder = await temporaryFolder();
  const stores = await Promise.all([openBlobStore(folder), openBlobStore(folder), openBlobStore(folder)]);
  const texts = Array.from({ length: 40 }, (_, index) => `text ${index % 10}`);
  const kept = await Promise.all(texts.map((text, index) => stores[index % 3]!.keepBytes(Buffer.from(text))));
  expect(kept.every((each) => each.kept)).toBe(true);
  expect((await readdir(folder)).sort()).toEqual([...new Set(texts.map(hashOf))].sort());
});

test("a blob store removes what a killed process left half written, but not what another process is writing", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "left.new"), "x");
  await utimes(join(folder, "left.new"), 1000, 1000);
  await writeFile(join(folder, "coming.new"), "x".repeat(1000));
  const blobs = await openBlobStore(folder, { quotaBytes: 500 });
  await blobs.keepBytes(Buffer.from("hello"));
  expect(await readdir(folder)).not.toContain("left.new");
  expect(await readdir(folder)).toContain("coming.new");
});

test("a blob store over its quota drops nothing that a change under way has stored, nor what an unfinished change needs after a crash", async () => {
  const folder = await temporaryFolder();
  const intentFolder = join(folder, "intents");
  const open = () => openBlobStore(join(folder, "blobs"), { quotaBytes: 2 * 4096, intentFolder });
  const blobs = await open();
  const keep = async (text: string) => (await blobs.keepBytes(Buffer.from(text))).hash;
  const areKept = async (...hashes: string[]) =>
    (await readdir(join(folder, "blobs"))).filter((name) => hashes.includes(name)).length === hashes.length;

  const letGo = blobs.hold();
  const held = [await keep("a"), await keep("b"), await keep("c")];
  expect(await areKept(...held)).toBe(true);
  const log = openIntentLog(intentFolder, { lives: { own: "dead" }, blobs: "" });
  const intent = log.begin({ callId: "call_1", sessionId: "one", roots: [] });
  const before = { kind: "file", hash: held[0]!, mode: 0o644, sizeBytes: 1 } as const;
  intent.step({ kind: "remove", path: "/w/a", before });
  letGo();
  await keep("d");
  expect(await areKept(held[0]!)).toBe(true);
  expect(await areKept(...held)).toBe(false);

  intent.end();
  await utimes(join(folder, "blobs", held[0]!), 1000, 1000);
  await keep("e");
  expect(await areKept(held[0]!)).toBe(false);
  log.close();
});
