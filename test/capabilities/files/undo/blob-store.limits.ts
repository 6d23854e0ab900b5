import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBlobStore } from "../../../../src/kernel/store/blobs/blob-store.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

test("a store of blobs keeps a large file without taking memory for it", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "large"), "");
  await truncate(join(folder, "large"), 300 * 2 ** 20);
  const blobs = await openBlobStore(join(folder, "blobs"));
  const before = process.memoryUsage().rss;
  const { hash } = await blobs.keepFile(join(folder, "large"));
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  const handle = await blobs.open(hash);
  expect((await handle?.stat())?.size).toBe(300 * 2 ** 20);
  await handle?.close();
});
