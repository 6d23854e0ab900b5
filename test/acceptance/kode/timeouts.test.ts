import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { createKodeEvents } from "../../../src/interop/index.ts";
import { answersIn, calling, openTestAgent } from "../../agent/open-agent.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { until } from "../../support/until.ts";

/** Tells how much time it has. */
const clock = defineTool({
  name: "clock",
  description: "Tells how much time it has.",
  params: {},
  traits: { readOnly: true },
  run: (_input, { deadline }) => deadline - Date.now(),
});

test("K36: a tool has 60 seconds, unless the runtime or the agent sets another time", async () => {
  stopClock();
  const options = { dialect: "kode", tools: [clock] };
  const { session } = await openTestSession(options);
  expect((await session.call("clock")).data).toBe(60_000);
  const patient = await openTestSession({ ...options, timeoutMs: 120_000 });
  expect((await patient.session.call("clock")).data).toBe(120_000);
  const { agent, requests } = await openTestAgent([calling("clock"), { text: "over" }], {
    runtime: options,
    toolTimeoutMs: 120_000,
  });
  await agent.run("go");
  expect(answersIn(requests[1]!)).toMatchObject([{ type: "text", value: "120000" }]);
});

test("K37: a tool gets a signal, which is aborted before it starts anything new, in a fetch and inside a loop", async () => {
  const controller = new AbortController();
  const seen: unknown[] = [];
  const loop = defineTool({
    name: "loop",
    description: "Counts.",
    params: {},
    traits: { readOnly: true },
    async run(_input, { signal }) {
      seen.push(signal.aborted);
      for (let count = 0; count < 1000; count++) {
        if (count === 250) controller.abort();
        if (count % 100 === 0 && signal.aborted) {
          seen.push(count);
          break;
        }
      }
      await fetch("http://127.0.0.1:9", { signal }).catch((error) => seen.push(error === signal.reason));
    },
  });
  const { session } = await openTestSession({ dialect: "kode", tools: [loop] });
  expect((await session.call("loop", {}, { signal: controller.signal })).status).toBe("cancelled");
  await until(() => seen.length === 3);
  expect(seen).toEqual([false, 300, true]);
});

test("K38, K39: a call out of time is aborted and FAILED, the model reads why and goes on, and a resume does not run it again", async () => {
  const signals: AbortSignal[] = [];
  const late = defineTool({
    name: "late",
    description: "Never comes back.",
    params: {},
    traits: { readOnly: true, idempotent: true, timeoutMs: 20 },
    run: (_input, { signal }) => {
      signals.push(signal);
      return new Promise<string>(() => {});
    },
  });
  const { agent, requests, events, session, runtime } = await openTestAgent(
    [calling("late"), { text: "Then without it." }],
    { runtime: { dialect: "kode", tools: [late] } },
  );
  expect(await agent.run("go")).toMatchObject({ reason: "done", text: "Then without it." });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(JSON.stringify(answersIn(requests[1]!))).toContain("gave no answer within 20 ms");
  const told = (await events()).flatMap(createKodeEvents()).map(({ event }) => event);
  expect(told.filter(({ type }) => type === "tool:end")).toMatchObject([{ call: { state: "FAILED" } }]);
  await session.close();
  const resumed = await runtime.openSession({ id: session.id });
  expect(resumed.resumed).toBe(true);
  const receipts = await runtime.receipts({ sessionId: session.id });
  expect(receipts.map(({ status }) => status)).toEqual(["timed-out"]);
  expect(signals).toHaveLength(1);
});
