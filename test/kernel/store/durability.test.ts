import { expect, test } from "vitest";
import { verifyChain } from "../../../src/kernel/store/verify-chain.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { startChild } from "./child.ts";
import { oneTo } from "./events.ts";
import { openTemporaryStore } from "./temporary-store.ts";

const script = new URL("child-append-until-killed.ts", import.meta.url);
const rounds = fuzzRuns({ sample: 4, full: 60 });

test(`entries that were promised to stay survive kill -9 (${rounds} times in the same store)`, async () => {
  const { store, file } = await openTemporaryStore();
  await store.close();
  const promised: string[] = [];
  const random = seededRandom();
  for (const _round of oneTo(rounds)) {
    const child = startChild(script, [file, "one"]);
    const wanted = Math.ceil(random() * 400);
    for (const _line of oneTo(wanted)) promised.push(await child.nextLine());
    await child.kill();
    promised.push(...(await child.printed()));
    await expectPromisesKept(file, promised);
  }
}, 240_000);

async function expectPromisesKept(file: string, promised: readonly string[]): Promise<void> {
  const { store } = await openTemporaryStore(file);
  const report = await verifyChain(store, "one");
  expect(report.broken).toBeUndefined();
  expect(report.receipts).toBeGreaterThanOrEqual(promised.length);
  const found = await store.readReceipts({ sessionId: "one" });
  const kept = new Set(found.map(({ position, hash, callId }) => `${position} ${hash} ${callId}`));
  expect(promised.filter((line) => !kept.has(line))).toEqual([]);
  // Written together or not at all: every receipt has its variable.
  const variables = await store.readVariables("one");
  expect(found.filter(({ callId }) => !variables.has(callId))).toEqual([]);
  expect(variables.size).toBe(report.receipts);
  await store.close();
}
