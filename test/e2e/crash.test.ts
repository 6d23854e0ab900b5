import { expect, test } from "vitest";
import { startChild } from "../runtime/store/child.ts";
import { oneTo } from "../runtime/store/events.ts";
import { createPlace } from "./open-temporary-runtime.ts";

const script = new URL("child-sessions.ts", import.meta.url);
const rounds = process.env.TOOLWRIGHT_FUZZ === "full" ? 40 : 4;

test(`a call whose result was given has its receipt after kill -9 (${rounds} times)`, async () => {
  const { workspace, store, open } = await createPlace();
  const answered: string[] = [];
  for (const _round of oneTo(rounds)) {
    const child = startChild(script, ["call-for-ever", workspace, store]);
    for (const _line of oneTo(Math.ceil(Math.random() * 100))) answered.push(await child.nextLine());
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

test("a call that was killed while it ran has its start on record and no receipt, and the session goes on", async () => {
  const { workspace, store, open } = await createPlace();
  const child = startChild(script, ["hang", workspace, store]);
  await child.nextLine();
  await child.kill();
  const runtime = await open();
  expect(await runtime.receipts()).toEqual([]);
  const session = await runtime.openSession({ id: "shared" });
  expect(session.resumed).toBe(true);
  for await (const event of session.events({ channels: ["progress"] })) {
    expect(event).toMatchObject({ type: "call-start", callId: "hanging", tool: "hang", input: {} });
    break;
  }
  expect(await session.call("note_down", { text: "on" })).toMatchObject({
    status: "done",
    receipt: { position: 1 },
  });
});

test("twenty thousand calls leave nothing in the heap", async () => {
  const { workspace, store } = await createPlace();
  const child = startChild(script, ["measure-heap", workspace, store], ["--expose-gc"]);
  const [bytesPerCall] = await child.rest();
  expect(Number(bytesPerCall)).toBeLessThan(20);
}, 120_000);
