import { expect, test } from "vitest";
import { createToolIndex } from "../../../src/kernel/tool-search/tool-index.ts";
import { awaitedCpuMs } from "../../support/cpu-ms.ts";
import { openSampleCatalogue, sampleSession } from "./sample-catalogue.ts";

test.each([
  ["one word", "x".repeat(100_000)],
  ["many words", "issue word ".repeat(10_000)],
  ["many different words", Array.from({ length: 20_000 }, (_, count) => `w${count}`).join(" ")],
  ["Chinese", "搜索".repeat(50_000)],
  ["capitals", "aB".repeat(50_000)],
])("a query of 100 kB of %s is answered like any other", async (_what, query) => {
  const { registry, view } = await openSampleCatalogue();
  const index = createToolIndex(registry, view);
  const search = (words: string) => index.search(words, { limit: 10, session: sampleSession });
  // What is loaded for the first search is not part of it.
  await search("anything");
  let found = 0;
  const tookMs = await awaitedCpuMs(async () => {
    found = (await search(query)).length;
  });
  // A hundred times what it takes, for machines that are busy.
  expect(tookMs).toBeLessThan(500);
  expect(found).toBeLessThanOrEqual(10);
});
