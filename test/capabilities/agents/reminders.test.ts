import { expect, test } from "vitest";
import { createPlace } from "../../e2e/open-temporary-runtime.ts";
import { echo } from "../../support/sample-tools.ts";
import { calling, openTestAgent, recordedModel } from "./open-agent.ts";

const reminder = "[Reminder from Toolwright, not from the user] 1 still to do:\n- [in_progress] a: Write";
const plan = calling("todo_write", { todos: [{ id: "a", title: "Write", status: "in_progress" }] });
const work = calling("echo", { text: "hi" });

test("a model that leaves its todos alone for long is reminded of them once, at the end of its prompt", async () => {
  const steps = [plan, ...Array.from({ length: 12 }, () => work), { text: "done" }];
  const { agent, requests } = await openTestAgent(steps, { runtime: { tools: [echo] } });
  await agent.run("go");
  const last = requests.map(({ prompt }) => prompt.at(-1));
  const shown = { role: "user", content: [{ type: "text", text: reminder }] };
  expect(last.filter((message) => message?.role === "user").slice(1)).toEqual([shown]);
  const place = last.findIndex((message, index) => index > 0 && message?.role === "user");
  expect(requests[place + 1]!.prompt.slice(0, -2)).toEqual(requests[place]!.prompt);
});

test("a model that changed its todos meanwhile is not reminded", async () => {
  const eight = Array.from({ length: 8 }, () => work.calls![0]!);
  const more = { name: "todo_write", input: { todos: [{ id: "a", title: "Write more" }] } };
  const steps = [plan, { calls: eight }, { calls: [work.calls![0]!, more] }, work, { text: "done" }];
  const { agent, requests } = await openTestAgent(steps, { runtime: { tools: [echo] } });
  await agent.run("go");
  expect(JSON.stringify(requests.at(-1)!.prompt)).not.toContain("Reminder from Toolwright");
});

test("the reminder of the todos stays in the conversation when it is resumed", async () => {
  const { open } = await createPlace();
  const first = await open();
  const steps = [plan, ...Array.from({ length: 11 }, () => calling("task_list")), { text: "for now" }];
  const before = recordedModel(steps);
  const session = await first.openSession({ id: "one" });
  await first.agent({ model: before.model, session }).run("go");
  await first.close();
  const after = recordedModel([{ text: "done" }]);
  const second = await open();
  const resumed = await second.openSession({ id: "one" });
  await second.agent({ model: after.model, session: resumed }).run("and now?");
  const told = before.requests.at(-1)!.prompt;
  expect(after.requests[0]!.prompt.slice(0, told.length)).toEqual(told);
  expect(JSON.stringify(told)).toContain("Reminder from Toolwright");
});
