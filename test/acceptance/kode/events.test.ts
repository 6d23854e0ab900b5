import { expect, onTestFinished, test, vi } from "vitest";
import { defineTool, type RuntimeOptions, type Session } from "../../../src/index.ts";
import { createKodeEvents, type KodeEnvelope } from "../../../src/interop/index.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

const process_data = defineTool({
  name: "process_data",
  description: "Works on data.",
  params: { input: { type: "string" } },
  traits: { readOnly: true },
  run: ({ input }, context) => {
    context.emit("processing_started", { input });
    context.emit("processing_completed");
    return input.toUpperCase();
  },
});

const late = defineTool({
  name: "late",
  description: "Never comes back.",
  params: {},
  traits: { readOnly: true, timeoutMs: 20 },
  run: () => new Promise<string>(() => {}),
});

/** All that a subscriber of the closed session's channels would have got. */
async function toldBy(session: Session): Promise<KodeEnvelope[]> {
  await session.close();
  const told: KodeEnvelope[] = [];
  const translate = createKodeEvents();
  for await (const event of session.events()) told.push(...translate(event));
  return told;
}

/** What a subscriber is told of the same session after everything was closed and opened again. */
async function toldAfterResume(options: RuntimeOptions, use: (session: Session) => Promise<unknown>) {
  vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const kept = {
    dialect: "kode",
    store: `sqlite:${await temporaryFolder()}/store.sqlite`,
    workspace: await temporaryFolder(),
    ...options,
  };
  const first = await openTestSession(kept, { id: "kept" });
  await use(first.session);
  await first.runtime.close();
  const second = await openTestSession(kept, { id: "kept" });
  expect(second.session.resumed).toBe(true);
  return toldBy(second.session);
}

test("K4: the record of a call has its approval, duration and error, and all of it is there after a resume", async () => {
  const act = defineTool({
    name: "act",
    description: "Acts.",
    params: {},
    run: () => {
      throw new Error("the disk is full");
    },
  });
  const options = { tools: [act], onApproval: () => ({ decision: "allow", note: "go on" }) as const };
  const told = await toldAfterResume(options, (session) => session.call("act", {}, { id: "one" }));
  const records = told.flatMap(({ event }) => (event.type === "tool_executed" ? [event.call] : []));
  expect(records).toMatchObject([
    {
      id: "one",
      name: "act",
      state: "FAILED",
      approval: {
        required: true,
        decision: "allow",
        decidedBy: expect.any(String),
        decidedAt: expect.any(Number),
        note: "go on",
      },
      durationMs: expect.any(Number),
      isError: true,
      error: "the disk is full",
    },
  ]);
});

test("K32, K33, K34: what a tool emits is a custom event of the monitor channel, with tool, type, data, time and bookmark", async () => {
  const { session } = await openTestSession({ dialect: "kode", tools: [process_data] });
  await session.call("process_data", { input: "x" });
  const custom = (await toldBy(session)).filter(({ event }) => event.type === "tool_custom_event");
  const [first, second] = custom;
  expect(first!.event).toEqual({
    channel: "monitor",
    type: "tool_custom_event",
    toolName: "process_data",
    eventType: "processing_started",
    data: { input: "x" },
    timestamp: first!.bookmark.timestamp,
    bookmark: { seq: first!.cursor, timestamp: expect.any(Number) },
  });
  expect(second!.event).toMatchObject({ eventType: "processing_completed" });
  expect(second!.event).not.toHaveProperty("data");
  expect(second!.cursor).toBeGreaterThan(first!.cursor);
});

test("K35: custom events are stored, and are told again after a resume", async () => {
  const told = await toldAfterResume({ tools: [process_data] }, (session) =>
    session.call("process_data", { input: "x" }),
  );
  const types = told.flatMap(({ event }) => (event.type === "tool_custom_event" ? [event.eventType] : []));
  expect(types).toEqual(["processing_started", "processing_completed"]);
});

test("K41: a tool that ran out of time is told as an error of phase tool whose message says aborted, with details", async () => {
  const { session } = await openTestSession({ dialect: "kode", tools: [late] });
  await session.call("late", {}, { id: "one" });
  const alerts = (await toldBy(session))
    .map(({ event }) => event)
    .filter(
      ({ type, phase, message }) => type === "error" && phase === "tool" && `${message}`.includes("aborted"),
    );
  expect(alerts).toMatchObject([
    {
      channel: "monitor",
      severity: "warn",
      detail: { callId: "one", toolName: "late", code: "timed-out", status: "timed-out" },
    },
  ]);
});
