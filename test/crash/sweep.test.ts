import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { oneTo } from "../kernel/store/events.ts";
import { fuzzRuns, seededRandom } from "../support/fuzz.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/until.ts";
import { makeChange, prepare } from "./crash-place.ts";
import { describeTree, findFaults, findLeftIntents } from "./inspect-crash.ts";

const script = new URL("child-sweep.ts", import.meta.url);

function sweep({ workspace, store }: Place, boundary = "0", signal = "SIGKILL") {
  return startChild(script, [workspace, store, boundary, signal]);
}

/** Several changes of which each is half made, because their process was killed. */
async function leaveHalf(renames = 5): Promise<Place> {
  const place = await prepare();
  const several = "multi edit+copy onto a folder+make folders";
  const { told } = await makeChange(place, several, `renameSync:${renames}`);
  expect(told).toBeUndefined();
  return place;
}

/** Each call has one end, and every file is as it was before them or after them. */
async function checkSwept(place: Place): Promise<void> {
  const runtime = await place.open();
  await runtime.openSession();
  expect(await findFaults(runtime, "killed")).toEqual([]);
  const receipts = await runtime.receipts({ sessionId: "killed" });
  for (const { callId } of [...receipts].reverse()) {
    const session = await runtime.openSession({ id: "killed" });
    await session.undo(callId);
  }
  const plain = await prepare();
  expect(await describeTree(place.workspace)).toEqual(await describeTree(plain.workspace));
  await runtime.close();
  expect(await findLeftIntents(join(dirname(place.workspace), "store.sqlite"))).toEqual([]);
}

const rounds = fuzzRuns({ sample: 1, full: 12 });
const killsEach = fuzzRuns({ sample: 1, full: 2 });

test(`a sweep that is killed, and then made by two at once, leaves nothing half done (${rounds} rounds, killed ${killsEach} times)`, async () => {
  const random = seededRandom();
  for (let round = 0; round < rounds; round++) {
    const place = await leaveHalf(3 + (round % 5));
    for (const _ of oneTo(killsEach)) {
      const killed = sweep(place, String(1 + Math.floor(random() * 120)));
      await killed.nextLine();
      await killed.printed();
    }
    const both = [sweep(place), sweep(place)];
    for (const each of both) expect(await each.rest()).toHaveLength(2);
    await checkSwept(place);
  }
}, 600_000);

const testReadOnly = await needs("full run", "unshare", "mount");
const readOnly = [
  "unshare",
  "-m",
  "sh",
  "-c",
  'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"',
];

testReadOnly(
  "what cannot be taken back because its folder is read-only by now is told, and every call has its end",
  async () => {
    const place = await prepare();
    await makeChange(place, "multi edit", "renameSync:3");
    const child = startChild(script, [place.workspace, place.store], [], [...readOnly, place.workspace]);
    expect(await child.rest()).toHaveLength(2);
    const runtime = await place.open();
    expect(await findFaults(runtime, "killed")).toEqual([]);
    const [receipt] = await runtime.receipts({ sessionId: "killed" });
    expect(receipt).toMatchObject({ status: "sealed", effects: { writes: ["a.txt", "b.txt"] } });
    // It can be written again.
    const session = await runtime.openSession({ id: "killed" });
    expect(await session.undo(receipt!.callId)).toMatchObject({ status: "done" });
    expect(await readFile(join(place.workspace, "a.txt"), "utf8")).toBe("one\n");
  },
);

const testSlowly = await needs("full run");

testSlowly(
  "nobody waits for ever for a sweep that is suspended",
  async () => {
    const place = await prepare();
    await makeChange(place, "multi edit", "renameSync:3");
    const child = sweep(place, "renameSync:2", "SIGSTOP");
    const pid = Number(await child.nextLine());
    await until(async () => / T /.test(await readFile(`/proc/${pid}/stat`, "utf8")));
    const startedMs = performance.now();
    const runtime = await place.open();
    await runtime.openSession();
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    await child.kill();
    await runtime.close();
    await checkSwept(place);
  },
  60_000,
);
