import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";
import { answersIn, calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const spawnAgent = (input: Record<string, unknown> = {}) =>
  calling("Agent", { prompt: "CHILD, look", ...input });

test("a scripted model is refused to a sub-agent: it could be any file", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "private.txt");
  await writeFile(file, "what nobody may read");
  const { model, requests } = familyModel({
    PARENT: [spawnAgent({ model: `scripted/${file}` }), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession();
  await runtime.agent({ model, session }).run("PARENT, go");
  const [answer] = answersIn(requests.PARENT![1]!);
  expect(JSON.stringify(answer)).toContain("is from another provider");
  expect(JSON.stringify(answer)).not.toContain("nobody");
  expect(session.agents.list()).toEqual([]);
});

test("an agent with maxDepth 0 spawns no sub-agent", async () => {
  const { model, requests } = familyModel({ PARENT: [spawnAgent(), { text: "Well." }] });
  const { runtime, session } = await openTestSession({ agents: { maxDepth: 0 } });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(JSON.stringify(answersIn(requests.PARENT![1]!))).toContain("agents may not be spawned here");
});

test("a kind that names some kinds cannot spawn others through one of no kind", async () => {
  const { model, requests } = familyModel({
    GRANDCHILD: [calling("Agent", { prompt: "TESTER", agent_type: "tester" }), { text: "No." }],
    CHILD: [calling("Agent", { prompt: "GRANDCHILD" }), { text: "No." }],
    TESTER: [{ text: "I should not be here." }],
    PARENT: [spawnAgent({ agent_type: "lead" }), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({
    agents: {
      maxDepth: 5,
      templates: {
        lead: { description: "Leads.", agents: { allowed: ["lead"] } },
        tester: { description: "Tests." },
      },
    },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(requests.TESTER).toEqual([]);
  expect(JSON.stringify(answersIn(requests.GRANDCHILD![1]!))).toContain("may not be spawned here");
});

test("a kind that names no other kinds spawns no sub-agents", async () => {
  const { model, requests } = familyModel({
    GRANDCHILD: [{ text: "I should not be here." }],
    CHILD: [calling("Agent", { prompt: "GRANDCHILD" }), { text: "No." }],
    PARENT: [spawnAgent({ agent_type: "tester" }), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({
    agents: { maxDepth: 5, templates: { tester: { description: "Tests." } } },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(requests.GRANDCHILD).toEqual([]);
});

test("a session with some tools only gives its agents and sub-agents no others", async () => {
  const { model, requests } = familyModel({
    CHILD: [calling("echo", { text: "hi" }), { text: "No." }],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime } = await openTestSession({ tools: [echo] });
  const session = await runtime.openSession({ tools: ["Agent", "Read"] });
  expect(session.tools().map(({ name }) => name)).toEqual(["Read", "Agent"]);
  expect((await session.call("echo", { text: "hi" })).error?.code).toBe("unknown-tool");
  await runtime.agent({ model, session, tools: ["Agent", "echo"] }).run("PARENT, go");
  expect(JSON.stringify(answersIn(requests.CHILD![1]!))).toContain("echo is not allowed here");
  await expect(runtime.openSession({ tools: ["Raed"] })).rejects.toThrow("Raed");
});

test("hooks see a sub-agent's calls as they see its parent's", async () => {
  const seen: string[] = [];
  const { model, requests } = familyModel({
    CHILD: [calling("echo", { text: "hi" }), { text: "No." }],
    PARENT: [spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession({
    tools: [echo],
    hooks: {
      beforeCall: ({ tool, caller }) => {
        seen.push(`${tool} by ${caller.name.replace(/_\w+/, "_1")}`);
        return tool === "echo" ? { decision: "deny", reason: "not today" } : undefined;
      },
    },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(seen).toEqual(["agent_run by agent", "echo by agent agent_1"]);
  expect(JSON.stringify(answersIn(requests.CHILD![1]!))).toContain("not today");
});

test("a hook may answer in a sub-agent's place, and then no sub-agent is spawned", async () => {
  const { model, requests } = familyModel({ PARENT: [spawnAgent(), { text: "Well." }] });
  const { runtime, session } = await openTestSession({
    hooks: {
      beforeCall: ({ tool }) =>
        tool === "agent_run" ? { decision: "answer", result: "It is Tuesday." } : undefined,
    },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(JSON.stringify(answersIn(requests.PARENT![1]!))).toContain("It is Tuesday.");
  expect(session.agents.list()).toEqual([]);
});

test("the tasks of a sub-agent are not its parent's", async () => {
  const { model, requests } = familyModel({
    CHILD: [calling("TaskCreate", { title: "of the child" }), calling("TaskList"), { text: "Done." }],
    PARENT: [calling("TaskCreate", { title: "of the parent" }), spawnAgent(), { text: "Well." }],
  });
  const { runtime, session } = await openTestSession();
  await runtime.agent({ model, session }).run("PARENT, go");
  expect(await session.tasks.list()).toMatchObject([{ title: "of the parent" }]);
  const listed = JSON.stringify(answersIn(requests.CHILD![2]!));
  expect(listed).toContain("of the child");
  expect(listed).not.toContain("of the parent");
});

const secret = "hunter2-hunter2-hunter2-hunter2-hunter2";

test.each([
  ["in the middle of a title that is cut there", `${"x".repeat(60)} ${secret} and so on`],
  ["in a title", `use ${secret}`],
])("a secret %s of a sub-agent is told nowhere", async (_where, description) => {
  const { model } = familyModel({
    CHILD: [calling("echo", { text: secret }), { text: `It is ${secret}.` }],
    PARENT: [
      spawnAgent({ description, mode: "background", prompt: `CHILD, ${secret}` }),
      { text: "Hm." },
      { text: "Well." },
    ],
  });
  const { runtime, session } = await openTestSession({ tools: [echo], secrets: [secret] });
  await runtime.agent({ model, session }).run("PARENT, go");
  const told: unknown[] = [session.agents.list(), await session.tasks.background()];
  for await (const event of session.events()) {
    told.push(event);
    if (event.type === "agent-end") break;
  }
  expect(JSON.stringify(told)).not.toContain("hunter2");
});
