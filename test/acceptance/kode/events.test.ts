import { expect, onTestFinished, test, vi } from "vitest";
import { Agent, defineTool, type KodeEvent } from "../../../src/systems/kode/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { createKode, listen } from "./create-kode.ts";

const process_data = defineTool({
  name: "process_data",
  description: "Works on data.",
  params: { input: { type: "string" } },
  attributes: { readonly: true },
  async exec(args, ctx) {
    ctx.emit("processing_started", { input: args.input });
    ctx.emit("processing_completed");
    return args.input.toUpperCase();
  },
});

/** What a subscriber is told of the same agent after everything was closed and opened again. */
async function toldAfterResume(
  tool: Parameters<typeof defineTool>[0] | typeof process_data,
  script: Parameters<typeof createKode>[1],
  permission: object = {},
): Promise<KodeEvent[]> {
  vi.stubEnv("XDG_STATE_HOME", await temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = {
    tools: [tool as typeof process_data],
    sandbox: { workDir: await temporaryFolder() },
    overrides: { permission },
    toolwright: { store: `sqlite:${await temporaryFolder()}/store.sqlite` },
  };
  const first = await createKode({ ...config, agentId: "kept" }, script);
  first.agent.on("permission_required", (event) => event.respond?.("allow", { note: "go on" }));
  await first.agent.chat("go");
  await first.agent.close();
  const second = await Agent.resume("kept", { ...config, model: "nowhere/model" });
  onTestFinished(() => second.close());
  const envelopes = second.subscribe(["progress", "control", "monitor"]);
  const told: KodeEvent[] = [];
  for await (const { event } of envelopes) {
    told.push(event);
    if (event.type === "agent_resumed") break;
  }
  return told;
}

test("K4: the record of a call has its approval, duration and error, and all of it is there after a resume", async () => {
  const act = defineTool({
    name: "act",
    description: "Acts.",
    params: {},
    async exec() {
      throw new Error("the disk is full");
    },
  });
  const told = await toldAfterResume(act, [calling("act")], { mode: "approval" });
  const records = told.flatMap((event) => (event.type === "tool_executed" ? [event.call] : []));
  expect(records).toMatchObject([
    {
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

test("K32, K33, K34: an event that a tool emits reaches listeners as a custom event of the monitor channel, with tool, type, data, time and bookmark", async () => {
  const { agent } = await createKode({ tools: [process_data] }, [calling("process_data", { input: "x" })]);
  const heard = listen(agent, "tool_custom_event");
  await agent.chat("go");
  await agent.close();
  const [first, second] = heard;
  expect(first).toEqual({
    channel: "monitor",
    type: "tool_custom_event",
    toolName: "process_data",
    eventType: "processing_started",
    data: { input: "x" },
    timestamp: first!.bookmark.timestamp,
    bookmark: { seq: expect.any(Number), timestamp: expect.any(Number) },
  });
  expect(second).toMatchObject({ toolName: "process_data", eventType: "processing_completed" });
  expect(second).not.toHaveProperty("data");
  expect(second!.bookmark.seq).toBeGreaterThan(first!.bookmark.seq);
});

test("K35: custom events are stored, and are told again after a resume", async () => {
  const told = await toldAfterResume(process_data, [calling("process_data", { input: "x" })]);
  const types = told.flatMap(({ type, eventType }) => (type === "tool_custom_event" ? [eventType] : []));
  expect(types).toEqual(["processing_started", "processing_completed"]);
});

test("K41: a tool that ran out of time is heard as an error of phase tool whose message says aborted, with details", async () => {
  const late = defineTool({
    name: "late",
    description: "Never comes back.",
    params: {},
    exec: () => new Promise(() => {}),
  });
  const config = { tools: [late], metadata: { toolTimeoutMs: 20 } };
  const { agent } = await createKode(config, [calling("late")]);
  const alerts: KodeEvent[] = [];
  agent.on("error", (event) => {
    if (event.phase === "tool" && String(event.message).includes("aborted")) alerts.push(event);
  });
  await agent.chat("go");
  await agent.close();
  expect(alerts).toMatchObject([
    {
      channel: "monitor",
      severity: "warn",
      detail: { toolName: "late", code: "timed-out", status: "timed-out" },
    },
  ]);
});
