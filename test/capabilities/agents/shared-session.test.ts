import { expect, test } from "vitest";
import type { Script } from "../../../src/capabilities/agents/index.ts";
import { defineTool, openRuntime } from "../../../src/index.ts";
import { createPlace } from "../../e2e/open-temporary-runtime.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { calling, recordedModel } from "./open-agent.ts";

type Requests = ReturnType<typeof recordedModel>["requests"];

function lastPrompt(requests: Requests): string {
  return JSON.stringify(requests.at(-1)!.prompt.slice(1));
}

test("agents that take turns in a session have one conversation", async () => {
  const { runtime, session } = await openTestSession({ tools: [echo] });
  const [one, other] = [
    recordedModel([calling("echo", { text: "hi" }), { text: "one has spoken" }, { text: "one again" }]),
    recordedModel([{ text: "the other has spoken" }, { text: "the other again" }]),
  ];
  const [first, second] = [one, other].map(({ model }) => runtime.agent({ model, session }));
  await first!.run("to one");
  await second!.run("to the other");
  await first!.send("said to one, not asked");
  await second!.run("to the other again");
  await first!.run("to one again");
  const words = ["to one", "one has spoken", "to the other", "the other has spoken"];
  const more = ["said to one, not asked", "to the other again", "the other again", "to one again"];
  const prompt = lastPrompt(one.requests);
  const places = [...words, ...more].map((word) => prompt.indexOf(`"${word}"`));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((left, right) => left - right));
  expect(prompt.split("said to one, not asked")).toHaveLength(2);
});

test("runtimes that take turns with a session have one conversation", async () => {
  const { workspace, store } = await createPlace();
  const here = recordedModel([{ text: "here" }, { text: "here again" }]);
  const there = recordedModel([{ text: "there" }]);
  const turns = { first: here, second: there, third: here };
  for (const [message, { model }] of Object.entries(turns)) {
    const runtime = await openRuntime({ workspace, store, tools: [echo] });
    await runtime.agent({ model, session: { id: "talk" } }).run(message);
    await runtime.close();
  }
  expect(lastPrompt(here.requests)).toMatch(/"first".*"here".*"second".*"there".*"third"/);
});

test("an agent at work keeps all others out of its session, and the next one knows what came of it", async () => {
  const { workspace, store } = await createPlace();
  const release = Promise.withResolvers<string>();
  const slow = defineTool({ name: "slow", description: "Waits.", params: {}, run: () => release.promise });
  const open = () => openRuntime({ workspace, store, tools: [slow], permissions: { mode: "auto" } });
  const [here, there] = [await open(), await open()];
  const working = there.agent({
    model: recordedModel([calling("slow"), { text: "ok" }]).model,
    session: { id: "talk" },
  });
  const running = working.run("go");
  await working.session();
  const remote = await here.remoteSession("talk");
  for await (const { type } of remote.events()) if (type === "call-start") break;
  const { model, requests } = recordedModel([{ text: "at last" }]);
  const agent = here.agent({ model, session: { id: "talk" } });
  await expect(agent.run("how is it?")).rejects.toMatchObject({ code: "session-busy" });
  // What one may do is to tell it something, which its model reads in the next step.
  await remote.send("hurry up");
  for await (const event of remote.events())
    if (event.type === "user-message" && event.text === "hurry up") break;
  release.resolve("it is over");
  await running;
  await there.close();
  await agent.run("and now?");
  expect(lastPrompt(requests)).toMatch(/it is over.*hurry up.*ok.*and now/);
  await here.close();
});

test("ids that two runtimes used are told apart when the conversation is made again", async () => {
  const { workspace, store } = await createPlace();
  const step = { calls: [{ name: "echo", input: { text: "x" }, id: "call_0" }] };
  const script: Script = [step, { text: "done" }];
  const runtimes = await Promise.all([1, 2].map(() => openRuntime({ workspace, store, tools: [echo] })));
  const agents = runtimes.map((runtime) =>
    runtime.agent({ model: recordedModel(script).model, session: { id: "talk" } }),
  );
  for (const [index, agent] of agents.entries()) {
    expect(await agent.run("go")).toMatchObject({ reason: "done" });
    await runtimes[index]!.close();
  }
  const last = await openRuntime({ workspace, store, tools: [echo] });
  const { model, requests } = recordedModel([{ text: "ok" }]);
  await last.agent({ model, session: { id: "talk" } }).run("on");
  await last.close();
  const { prompt } = requests[0]!;
  const called = prompt.flatMap(({ role, content }) =>
    role === "assistant"
      ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
      : [],
  );
  expect(called).toHaveLength(2);
  expect(new Set(called).size).toBe(2);
  for (const [place, message] of prompt.entries()) {
    if (message.role !== "assistant") continue;
    const ids = message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    if (ids.length > 0)
      expect(prompt[place + 1]).toMatchObject({ role: "tool", content: [{ toolCallId: ids[0] }] });
  }
});
