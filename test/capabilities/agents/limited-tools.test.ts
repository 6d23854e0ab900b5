import { expect, test } from "vitest";
import { type Script, scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { defineTool, openRuntime } from "../../../src/index.ts";
import { createPlace } from "../../e2e/open-temporary-runtime.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, echo } from "../../support/sample-tools.ts";
import { answersIn, calling, openTestAgent, recordedModel } from "./open-agent.ts";

const many = Array.from({ length: 30 }, (_, index) =>
  defineTool({
    name: `extra_${index}`,
    description: "One of many.",
    params: {},
    prompt: `The manual of extra ${index}.`,
    traits: { readOnly: true },
    run: () => `extra ${index}`,
  }),
);

function namesIn({ tools = [] }: { tools?: readonly { name: string }[] }): string[] {
  return tools.map(({ name }) => name);
}

function textsIn(request: Parameters<typeof answersIn>[0]): string[] {
  return answersIn(request).map((answer) => ("value" in answer ? String(answer.value) : ""));
}

test("an agent is offered the tools it is limited to, by names of any dialect and by patterns", async () => {
  const { agent, requests } = await openTestAgent([{ text: "done" }], {
    runtime: { tools: [echo, act, ...many] },
    tools: ["Read", "search_*", "repeat_back", "extra_1*"],
  });
  await agent.run("go");
  const names = namesIn(requests[0]!);
  expect(names).toContain("Read");
  expect(names).toContain("echo");
  expect(names).toContain("Grep");
  expect(names.filter((name) => name.startsWith("extra_"))).toHaveLength(11);
  for (const name of ["act", "Bash", "Write", "ToolSearch"]) expect(names).not.toContain(name);
  expect(requests[0]!.prompt[0]!.content).toContain("The manual of extra 1.");
  expect(requests[0]!.prompt[0]!.content).not.toContain("The manual of extra 2.");
});

test("a call of a tool outside the limit is refused under each of its names, and told which tools there are", async () => {
  const names = ["Bash", "shell_run", "act", "read_file", "nothing"];
  const { agent, requests, runtime } = await openTestAgent(
    [{ calls: names.map((name) => ({ name, input: { command: "true" } })) }, { text: "done" }],
    { runtime: { tools: [echo, act] }, tools: ["echo", "Glob"] },
  );
  await agent.run("go");
  const [bash, shellRun, acted, , unknown] = textsIn(requests[1]!);
  expect(bash).toContain("Bash is not allowed here; allowed: ");
  expect(bash).toContain("echo");
  expect(bash).toContain("Glob");
  expect(shellRun).toContain("is not allowed here");
  expect(acted).toContain("is not allowed here");
  expect(unknown).toContain('there is no tool named "nothing"');
  const receipts = await runtime.receipts();
  expect(receipts.map(({ status, code }) => `${status} ${code}`)).toEqual(
    names.map(() => "failed unknown-tool"),
  );
});

test("a limited agent finds and activates nothing that it may not use", async () => {
  const { agent, requests } = await openTestAgent(
    [
      calling("ToolSearch", { query: "select:extra_7,act,echo" }),
      calling("ToolSearch", { query: "does something unknown" }),
      calling("extra_7"),
      { text: "done" },
    ],
    { runtime: { tools: [echo, act, ...many] }, tools: ["ToolSearch", "extra_*"] },
  );
  await agent.run("go");
  expect(namesIn(requests[0]!)).toEqual(["ToolSearch"]);
  expect(namesIn(requests[1]!)).toEqual(["ToolSearch", "extra_7"]);
  expect(namesIn(requests[3]!)).not.toContain("act");
  const [selected, , ran] = textsIn(requests[3]!);
  expect(selected).toContain("Found 1 tool(s)");
  expect(textsIn(requests[3]!).join("\n")).not.toMatch(/^- act|Does something/m);
  expect(ran).toBe("extra 7");
});

test("a limited agent is offered the tools it has found again after the process has ended, in the same order", async () => {
  const { workspace, store } = await createPlace();
  const talk = async (script: Script) => {
    const runtime = await openRuntime({
      workspace,
      store,
      tools: [act, ...many],
      permissions: { mode: "auto" },
    });
    const { model, requests } = recordedModel(script);
    await runtime.agent({ model, session: { id: "talk" }, tools: ["ToolSearch", "extra_*"] }).run("go");
    await runtime.close();
    return requests.at(-1)!;
  };
  const search = (name: string) => calling("ToolSearch", { query: `select:${name}` });
  const before = await talk([search("extra_9"), search("extra_3"), search("act"), { text: "done" }]);
  const after = await talk([{ text: "done" }]);
  expect(namesIn(before)).toEqual(["ToolSearch", "extra_9", "extra_3"]);
  expect(JSON.stringify(after.tools)).toBe(JSON.stringify(before.tools));
  expect(after.prompt.slice(0, before.prompt.length)).toEqual(before.prompt);
});

test("other agents and calls in the session of a limited agent are not limited", async () => {
  const { runtime, session } = await openTestSession({ tools: [echo, act], permissions: { mode: "auto" } });
  const limited = runtime.agent({ model: scriptedModel([{ text: "ok" }]), session, tools: [] });
  await limited.run("go");
  const free = runtime.agent({ model: scriptedModel([calling("act"), { text: "ok" }]), session });
  expect(await free.run("go")).toMatchObject({ reason: "done" });
  expect(await session.call("act")).toMatchObject({ status: "done" });
  expect(await runtime.receipts()).toMatchObject([{ status: "done" }, { status: "done" }]);
});

test("an agent with no tools talks all the same, and a call is told that there are none", async () => {
  const { agent, requests } = await openTestAgent([calling("Read"), { text: "done" }], { tools: [] });
  expect(await agent.run("go")).toMatchObject({ reason: "done" });
  expect(requests[0]!.tools).toBeUndefined();
  expect(textsIn(requests[1]!)[0]).toContain("neither is any other tool");
});

test("a pattern of tools also admits tools that are registered later", async () => {
  const { runtime, agent, requests } = await openTestAgent(
    (_request, step) => {
      if (step === 1) for (const tool of many.slice(1, 3)) runtime.tools.register(tool);
      return step === 1 ? calling("extra_0") : { text: "done" };
    },
    { runtime: { tools: many.slice(0, 1) }, tools: ["extra_*"] },
  );
  await agent.run("go");
  expect(namesIn(requests[1]!)).toEqual(["extra_0", "extra_1", "extra_2"]);
});

test("a tool that takes another's place is looked at anew", async () => {
  const named = (name: string, aliases: string[] = []) => ({ ...act, name, aliases });
  const { runtime, agent, requests } = await openTestAgent(
    (_request, step) => {
      if (step === 1) runtime.tools.register(named("plain", ["special_plain"]), { override: true });
      return step === 1 ? calling("first") : { text: "done" };
    },
    { runtime: { tools: [named("first", ["special_first"])] }, tools: ["special_*"] },
  );
  runtime.tools.register(named("plain"));
  await agent.run("go");
  expect(namesIn(requests[0]!)).toEqual(["first"]);
  expect(namesIn(requests[1]!)).toEqual(["first", "plain"]);
});

test.each([
  [["Rad"], 'tools: there is no tool named "Rad"; did you mean Read'],
  [["nobody_*"], "no tool matches"],
  ["Read", "must be a list of names"],
  [[1], "must be a list of names"],
])("a list of tools that cannot be right is refused at once: %j", async (tools, message) => {
  const { runtime } = await openTestSession();
  const model = scriptedModel([]);
  expect(() => runtime.agent({ model, tools: tools as string[] })).toThrow(message);
});

test("a session that an agent could not open may be opened the next time", async () => {
  const { runtime } = await openTestSession();
  const held = await runtime.openSession({ id: "held" });
  const agent = runtime.agent({
    model: scriptedModel([{ text: "ok" }]),
    session: { id: "held", mode: "readonly" },
  });
  await expect(agent.run("go")).rejects.toThrow("is already open");
  await held.close();
  expect(await agent.run("go")).toMatchObject({ reason: "done" });
});
