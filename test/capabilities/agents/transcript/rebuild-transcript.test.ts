import { expect, test } from "vitest";
import type { Script } from "../../../../src/capabilities/agents/index.ts";
import { defineTool, openRuntime } from "../../../../src/index.ts";
import { createPlace } from "../../../e2e/open-temporary-runtime.ts";
import { echo } from "../../../support/sample-tools.ts";
import { answersIn, calling, openTestAgent, recordedModel } from "../open-agent.ts";

async function openAgain(place: { workspace: string; store: string }, script: Script) {
  const { workspace, store } = place;
  const runtime = await openRuntime({ workspace, store, tools: [echo], permissions: { mode: "auto" } });
  const { model, requests } = recordedModel(script);
  const agent = runtime.agent({ model, session: { id: "talk" } });
  return { runtime, agent, requests };
}

test("a conversation looks the same to the model after the process has ended", async () => {
  const place = await createPlace();
  const first = await openAgain(place, [
    {
      text: "Let me see.",
      calls: [
        { name: "echo", input: { text: "one" } },
        { name: "echo", input: { text: "" } },
      ],
    },
    calling("nothing", { at: "all" }),
    { text: "Done." },
    { text: "You are welcome." },
  ]);
  await first.agent.run("start");
  await first.agent.run("thanks");
  const before = first.requests.at(-1)!.prompt;
  await first.runtime.close();

  const second = await openAgain(place, [{ text: "Here again." }]);
  await second.agent.run("and now?");
  await second.runtime.close();
  const after = second.requests[0]!.prompt;
  expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
  expect(after.slice(before.length)).toEqual([
    { role: "assistant", content: [{ type: "text", text: "You are welcome." }] },
    { role: "user", content: [{ type: "text", text: "and now?" }] },
  ]);
});

test("a message that no model has read when the process ends comes where it would have come", async () => {
  const place = await createPlace();
  const first = await openAgain(place, async (_request, step) => {
    if (step === 1) await first.agent.send("also this");
    return step === 1 ? calling("echo", { text: "x" }) : { text: "ok" };
  });
  await first.agent.run("start");
  const [, live] = first.requests;
  await first.agent.send("one more");
  await first.runtime.close();

  const second = await openAgain(place, [{ text: "ok" }]);
  await second.agent.run();
  await second.runtime.close();
  const after = second.requests[0]!.prompt;
  expect(JSON.stringify(after.slice(0, 5))).toBe(JSON.stringify(live!.prompt));
  expect(after.at(-1)).toMatchObject({ role: "user", content: [{ text: "one more" }] });
});

test("messages that were sent before the first run are read first, also after the process has ended", async () => {
  const place = await createPlace();
  const first = await openAgain(place, [{ text: "ok" }]);
  await first.agent.send("by the way");
  await first.agent.run("start");
  await first.runtime.close();
  const second = await openAgain(place, [{ text: "ok" }]);
  await second.agent.run("on");
  await second.runtime.close();
  const before = first.requests[0]!.prompt;
  expect(JSON.stringify(before.slice(1))).toMatch(/by the way.*start/);
  expect(second.requests[0]!.prompt.slice(0, 3)).toEqual(before);
});

test("secrets in what a model says are masked in the log, in pieces and as a whole, but not before the model", async () => {
  const token = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
  const { agent, events, requests } = await openTestAgent(
    [
      {
        reasoning: `the key is ${token}, remember`,
        text: `I will say ${token} back, and hunter2-is-the-word too.`,
        calls: [{ name: "echo", input: { text: `x ${token}` } }],
      },
      { text: "done" },
    ],
    { runtime: { tools: [echo], secrets: ["hunter2-is-the-word"] } },
  );
  await agent.run(`use ${token}`);
  const log = JSON.stringify(await events());
  expect(log).toContain("[redacted]");
  expect(log).not.toContain("sk-abc");
  expect(log).not.toContain("hunter2");
  expect(JSON.stringify(requests[1]!.prompt)).toContain(`I will say ${token} back`);
});

test("the manual of a tool is told once, at the beginning, and the same in every step", async () => {
  const manual = "Use it with care, and never on Sundays.";
  const careful = defineTool({
    name: "careful",
    description: "Takes care.",
    params: {},
    prompt: manual,
    traits: { readOnly: true, deferrable: false },
    run: () => "ok",
  });
  const { agent, requests } = await openTestAgent(
    [calling("careful"), calling("careful"), { text: "done" }],
    {
      runtime: { tools: [careful] },
      system: "You are careful.",
    },
  );
  await agent.run("go");
  for (const { prompt } of requests) {
    expect(prompt[0]).toEqual(requests[0]!.prompt[0]);
    expect(JSON.stringify(prompt).split(manual)).toHaveLength(2);
  }
  expect(requests[0]!.prompt[0]!.content).toMatch(/^You are careful\./);
  expect(JSON.stringify(requests[2]!.tools)).toBe(JSON.stringify(requests[0]!.tools));
});

test("a tool that the model has found is offered from the next step on, behind the others", async () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    defineTool({
      name: `extra_${index}`,
      description: "One of many.",
      params: {},
      traits: { readOnly: true },
      run: () => "extra",
    }),
  );
  const { agent, requests } = await openTestAgent(
    [calling("ToolSearch", { query: "select:extra_7" }), calling("extra_7"), { text: "done" }],
    { runtime: { tools: many } },
  );
  await agent.run("go");
  const names = requests.map(({ tools = [] }) => tools.map(({ name }) => name));
  expect(names[0]).not.toContain("extra_7");
  expect(names[1]).toEqual([...names[0]!, "extra_7"]);
  expect(answersIn(requests[2]!)[1]).toEqual({ type: "text", value: "extra" });
});
