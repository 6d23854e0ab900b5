import { expect, test } from "vitest";
import { defineTool, type LoggedEvent, type Session } from "../../../../src/index.ts";
import { createPlace } from "../../../e2e/open-temporary-runtime.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", ...input });

test("a conversation with sub-agents is the same to the model after the process has ended", async () => {
  const { open } = await createPlace();
  const first = await open();
  const { model, requests } = familyModel({
    CHILD: [calling("TaskList"), { text: "One \ud800 half." }, { text: "Two." }, { text: "Three." }],
    PARENT: [
      spawnAgent({ mode: "background", description: "first\u202e \u0007" }),
      { text: "I wait." },
      spawnAgent({}),
      { calls: [spawnAgent({ mode: "background" }).calls![0]!, { name: "TaskList", input: {} }] },
      { text: "I wait again." },
      { text: "Enough." },
      { text: "Last." },
    ],
  });
  const session = await first.openSession({ id: "one" });
  const agent = first.agent({ model, session });
  await agent.run("PARENT, go");
  await agent.run("PARENT, and?");
  const before = requests.PARENT!.at(-1)!.prompt;
  await first.close();

  const again = familyModel({ PARENT: [{ text: "Again." }] });
  const second = await open();
  const resumed = await second.openSession({ id: "one" });
  await second.agent({ model: again.model, session: resumed }).run("PARENT, still there?");
  expect(again.requests.PARENT![0]!.prompt.slice(0, before.length)).toEqual(before);
  expect(JSON.stringify(again.requests.PARENT![0]!.prompt).split("has ended: done")).toHaveLength(3);
});

test("ten thousand events of one sub-agent are all told, in order, live and later", async () => {
  const chatty = defineTool({
    name: "chatty",
    description: "Says much.",
    params: {},
    traits: { readOnly: true },
    async run(_input, { progress }) {
      for (let count = 0; count < 10_000; count += 1) {
        progress({ count });
        // Of what it reports without ever waiting, only so much is kept.
        if (count % 500 === 0) await new Promise(setImmediate);
      }
      return "said";
    },
  });
  const { model } = familyModel({
    CHILD: [calling("chatty"), { text: "Done." }],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({ tools: [chatty] });
  const live = eventsUntilEnd(session);
  await runtime.agent({ model, session }).run("PARENT, go");
  const told = await live;
  expect(await eventsUntilEnd(session)).toEqual(told);
  const counts = told.flatMap((event) =>
    event.type === "subagent-event" && event.event.type === "call-progress" ? [event.event.update] : [],
  );
  expect(counts).toEqual(Array.from({ length: 10_000 }, (_, count) => ({ count })));
  expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, place) => place + 1));
});

test("a sub-agent's text is told as far as its limit, and its parent reads as much of it as of any tool's", async () => {
  const said = `begin ${"long ".repeat(200_000)} end`;
  const { model, requests } = familyModel({
    CHILD: [{ text: said }, { text: said }],
    PARENT: [spawnAgent(), spawnAgent({ mode: "background" }), { text: "Hm." }, { text: "Well." }],
  });
  const { runtime, session } = await openTestSession();
  await runtime.agent({ model, session }).run("PARENT, go");
  for (const { prompt } of requests.PARENT!) expect(JSON.stringify(prompt).length).toBeLessThan(200_000);
  const ends = (await eventsUntilEnd(session)).flatMap((event) =>
    event.type === "subagent-end" ? [event] : [],
  );
  expect(ends.map(({ text }) => text.length)).toEqual([said.length, said.length]);
});

async function eventsUntilEnd(session: Session): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === "agent-end") break;
  }
  return events;
}
