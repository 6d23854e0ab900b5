import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { oneTo } from "../kernel/store/events.ts";
import { fuzzRuns, seededRandom } from "../support/fuzz.ts";
import { needs } from "../support/needs.ts";
import { makeChange, prepare } from "./crash-place.ts";
import { findFaults } from "./inspect-crash.ts";
import { checkSwept, script, sweep } from "./sweep.ts";

/** Several changes of which each is half made, because their process was killed. */
async function leaveHalf(renames = 5): Promise<Place> {
  const place = await prepare();
  const several = "multi edit+copy onto a folder+make folders";
  const { told } = await makeChange(place, several, `renameSync:${renames}`);
  expect(told).toBeUndefined();
  return place;
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
  "a change that cannot be taken back because its folder is read-only by now is told, and every call has its end",
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
