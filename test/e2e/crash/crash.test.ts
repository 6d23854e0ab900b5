import { expect, test } from "vitest";
import { startChild } from "../../kernel/store/child.ts";
import { oneTo } from "../../kernel/store/events.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { createPlace } from "../open-temporary-runtime.ts";

const script = new URL("../sessions/child-sessions.ts", import.meta.url);
const rounds = fuzzRuns({ sample: 2, full: 40 });

test(`a call whose result was given has its receipt after kill -9 (${rounds} times)`, async () => {
  const { workspace, store, open } = await createPlace();
  const answered: string[] = [];
  const random = seededRandom();
  for (const _round of oneTo(rounds)) {
    const child = startChild(script, ["call-for-ever", workspace, store]);
    for (const _line of oneTo(Math.ceil(random() * 100))) answered.push(await child.nextLine());
    await child.kill();
    answered.push(...(await child.printed()));
    const runtime = await open();
    const [report] = await runtime.verify("shared");
    expect(report!.broken).toBeUndefined();
    const kept = new Set((await runtime.receipts({ sessionId: "shared" })).map(({ callId }) => callId));
    expect(answered.filter((callId) => !kept.has(callId))).toEqual([]);
    await runtime.close();
  }
}, 240_000);

test("a call that was killed while it ran is sealed when its session is opened again, once, and does not run again", async () => {
  const { workspace, store, open } = await createPlace();
  const child = startChild(script, ["hang", workspace, store]);
  await child.nextLine();
  const beside = await open();
  await beside.openSession({ id: "beside" });
  // The process is alive, so its call is nobody else's business.
  expect(await beside.receipts()).toEqual([]);
  await beside.close();
  await child.kill();

  const runtime = await open();
  const session = await runtime.openSession({ id: "shared" });
  expect(session.resumed).toBe(true);
  const called = { callId: "hanging", tool: "hang", calledAs: "hang_on" };
  const sealed = { ...called, status: "sealed", code: "unknown-outcome", position: 1 };
  expect(await runtime.receipts()).toMatchObject([sealed]);
  expect(await session.call("note_down", { text: "on" })).toMatchObject({
    status: "done",
    receipt: { position: 2 },
  });
  await runtime.close();

  const again = await open();
  await again.openSession({ id: "shared" });
  expect((await again.receipts()).map(({ status }) => status)).toEqual(["done", "sealed"]);
  expect(await again.verify("shared")).toEqual([
    { sessionId: "shared", events: expect.any(Number), receipts: 2 },
  ]);
});
