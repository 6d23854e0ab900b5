import { expect, test } from "vitest";
import type { Script } from "../../src/agent/index.ts";
import { defineTool, openRuntime } from "../../src/index.ts";
import { createPlace } from "../e2e/open-temporary-runtime.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { echo } from "../support/sample-tools.ts";
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
  const open = async (script: Script) => {
    const runtime = await openRuntime({ workspace, store, tools: [echo] });
    const { model, requests } = recordedModel(script);
    return { runtime, requests, agent: runtime.agent({ model, session: { id: "talk" } }) };
  };
  const here = await open([{ text: "here" }, { text: "here again" }]);
  const there = await open([{ text: "there" }]);
  await here.agent.run("first");
  await there.agent.run("second");
  await here.agent.run("third");
  expect(lastPrompt(here.requests)).toMatch(/"first".*"here".*"second".*"there".*"third"/);
  await here.runtime.close();
  await there.runtime.close();
});

test("while an agent works in a session, no other does, and the next one knows what came of it", async () => {
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
  const session = await here.openSession({ id: "talk" });
  for await (const { type } of session.events()) if (type === "call-start") break;
  const { model, requests } = recordedModel([{ text: "at last" }]);
  const agent = here.agent({ model, session });
  await expect(agent.run("how is it?")).rejects.toThrow("is working in this session");
  release.resolve("it is over");
  await running;
  await agent.run("and now?");
  expect(lastPrompt(requests)).toContain("it is over");
  await here.close();
  await there.close();
});

test("ids that two runtimes used are told apart when the conversation is made again", async () => {
  const { workspace, store } = await createPlace();
  const step = { calls: [{ name: "echo", input: { text: "x" }, id: "call_0" }] };
  const script: Script = [step, { text: "done" }];
  const runtimes = await Promise.all([1, 2].map(() => openRuntime({ workspace, store, tools: [echo] })));
  const agents = runtimes.map((runtime) =>
    runtime.agent({ model: recordedModel(script).model, session: { id: "talk" } }),
  );
  for (const agent of agents) expect(await agent.run("go")).toMatchObject({ reason: "done" });
  for (const runtime of runtimes) await runtime.close();
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
