import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo, hang } from "../../support/sample-tools.ts";
import { answersIn, calling, openTestAgent } from "./open-agent.ts";

test("a message that comes in while the agent works is read with the next step", async () => {
  const { agent, requests } = await openTestAgent(
    async (_request, step) => {
      if (step === 1) await agent.send("and be quick");
      if (step === 3) await agent.send("one more thing");
      return [
        calling("echo", { text: "x" }),
        calling("echo", { text: "y" }),
        { text: "done" },
        { text: "that too" },
      ][step - 1];
    },
    { runtime: { tools: [echo] } },
  );
  expect(await agent.run("go")).toMatchObject({ reason: "done", text: "that too", steps: 4 });
  const roles = requests[1]!.prompt.map(({ role }) => role);
  expect(roles).toEqual(["system", "user", "assistant", "tool", "user"]);
  expect(requests[3]!.prompt.at(-1)).toMatchObject({ role: "user", content: [{ text: "one more thing" }] });
});

test("an interrupted agent keeps what was said, and goes on with the next message", async () => {
  const { agent, requests } = await openTestAgent(
    (_request, step) => (step === 1 ? calling("hang") : { text: "as you say" }),
    { runtime: { tools: [hang] } },
  );
  const running = agent.run("go");
  const session = await agent.session();
  for await (const { type } of session.events()) if (type === "call-progress") break;
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted", steps: 1 });
  expect(agent.isWorking).toBe(false);
  expect(await agent.run("something else then")).toMatchObject({ reason: "done", text: "as you say" });
  expect(answersIn(requests[1]!)).toMatchObject([{ type: "error-text" }]);
});

test("words that a model had said when it was interrupted stay in the transcript", async () => {
  const controller = new AbortController();
  const model = scriptedModel([{ text: "never mind" }, { text: "fine" }]);
  const stalling = {
    ...model,
    doStream: async () => ({
      stream: new ReadableStream({
        start(stream) {
          stream.enqueue({ type: "text-delta", id: "1", delta: "I was about to " });
          stream.enqueue({ type: "tool-input-start", id: "c", toolName: "echo" });
        },
      }),
    }),
  };
  const { runtime, session } = await openTestSession({ tools: [echo] });
  const running = runtime.agent({ model: stalling, session }).run("go", { signal: controller.signal });
  for await (const { type } of session.events()) if (type === "text-delta") break;
  controller.abort();
  expect(await running).toMatchObject({ reason: "interrupted", text: "I was about to " });
  const second = runtime.agent({ model, session });
  expect(await second.run("well?")).toMatchObject({ reason: "done", text: "never mind" });
});

test("an interrupt during a wait for the next try ends it at once", async () => {
  const busy = Object.assign(new Error("slow down"), { isRetryable: true });
  const { agent, session } = await openTestAgent(() => ({ error: busy }), { retryDelayMs: 600_000 });
  const running = agent.run("go");
  for await (const { type } of session.events()) if (type === "model-retry") break;
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted" });
});

test("closing the session ends the work first", async () => {
  const { agent, session, runtime } = await openTestAgent([calling("hang")], { runtime: { tools: [hang] } });
  const running = agent.run("go");
  for await (const { type } of session.events()) if (type === "call-progress") break;
  await runtime.close();
  expect(await running).toMatchObject({ reason: "interrupted" });
  await expect(agent.run("again")).rejects.toThrow("closed");
});

test("a run fails with the reason if the runtime closes while the agent's session is opened, or is closed", async () => {
  const { runtime } = await openTestSession();
  const model = scriptedModel([{ text: "never" }]);
  const running = expect(runtime.agent({ model }).run("go")).rejects.toThrow(/the session is closed/);
  await runtime.close();
  await running;
  await expect(runtime.agent({ model }).run("go")).rejects.toThrow("the runtime is closed");
});

test("one agent at a time works in a session", async () => {
  const { agent, session, runtime } = await openTestAgent([calling("hang")], { runtime: { tools: [hang] } });
  const running = agent.run("go");
  await expect(agent.run("me too")).rejects.toThrow("use send() to give it a message");
  for await (const { type } of session.events()) if (type === "call-progress") break;
  const other = runtime.agent({ model: scriptedModel([{ text: "x" }]), session });
  await expect(other.run("and me")).rejects.toThrow("another agent");
  agent.interrupt();
  await running;
});

test("an aborted signal counts like an interrupt", async () => {
  const { agent } = await openTestAgent([{ text: "never" }]);
  expect(await agent.run("go", { signal: AbortSignal.abort() })).toMatchObject({
    reason: "interrupted",
    steps: 0,
  });
});

test.each([
  [{ model: {} }, "must be an AI SDK language model"],
  [{ model: { specificationVersion: "v9", doStream() {} } }, "version"],
  [{ model: "x/y", maxSteps: 0 }, "maxSteps"],
  [{ model: "x/y", system: 5 }, "system must be a string"],
  [{ model: "x/y", stopWhen: "never" }, "stopWhen must be a function"],
  [{ model: "x/y", budget: { tokens: -1 } }, "budget.tokens"],
])("wrong options are refused at once: %j", async (options, message) => {
  const { runtime } = await openTestSession();
  expect(() => runtime.agent(options as never)).toThrow(message);
});

test("an agent without a message has to have something to go on with", async () => {
  const { agent } = await openTestAgent([{ text: "hello" }, { text: "again" }]);
  await expect(agent.run()).rejects.toThrow("nothing to continue");
  await expect(agent.run("  ")).rejects.toThrow("a string that is not empty");
  await agent.run("hi");
  await expect(agent.run()).rejects.toThrow("nothing to continue");
  await agent.send("still there?");
  expect(await agent.run()).toMatchObject({ text: "again" });
});
