import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Place } from "../e2e/open-temporary-runtime.ts";
import { startChild } from "../kernel/store/child.ts";
import { prepare } from "./crash-place.ts";
import { describeTree, findFaults, findLeftIntents } from "./inspect-crash.ts";

/** Opens the place in another process, which ends at this boundary. */
export function sweep({ workspace, store }: Place, boundary = "0", signal = "SIGKILL") {
  return startChild(script, [workspace, store, boundary, signal]);
}

export const script = new URL("child-sweep.ts", import.meta.url);

/** Each call has one end, and every file is as it was before them or after them. */
export async function checkSwept(place: Place): Promise<void> {
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
