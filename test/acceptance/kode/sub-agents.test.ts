import { expect, test } from "vitest";
import { calling } from "../../agent/open-agent.ts";
import { familyModel } from "../../agent/sub-agents/family-model.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const templates = {
  explorer: { description: "Finds.", system: "You find things.", tools: ["fs_read"] },
  lead: { description: "Leads.", agents: { allowed: ["explorer"], maxDepth: 1 } },
};

test("K20: task_run spawns an agent from a template, gives it the context, and takes both names of template and model", async () => {
  const task = { prompt: "CHILD, look", context: "The code is in src.", subagent_type: "explorer" };
  const { model, requests } = familyModel({
    CHILD: [{ text: "Found." }],
    PARENT: [calling("task_run", task), { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({ dialect: "kode", agents: { templates } });
  await runtime.agent({ model, session }).run("PARENT, go");
  const asked = requests.CHILD![0]!;
  expect(asked.prompt).toMatchObject([
    { role: "system", content: expect.stringMatching(/^You find things\./) },
    {
      role: "user",
      content: [{ type: "text", text: expect.stringMatching(/\n\nCHILD, look\n\nThe code is in src\.$/) }],
    },
  ]);
  expect(asked.tools?.map(({ name }) => name)).toEqual(["fs_read"]);
  const inputs = [
    { subagent_type: "explorer", model_name: "nowhere/small" },
    { agentTemplateId: "explorer", model: "nowhere/small" },
  ];
  for (const input of inputs) {
    const { receipt } = await session.call("task_run", { prompt: "x", ...input });
    expect(receipt.input).toMatchObject({ prompt: "x", kind: "explorer", model: "nowhere/small" });
  }
  const twice = await session.call("task_run", { prompt: "x", ...inputs[0], ...inputs[1] });
  expect(twice.error).toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("subagent_type"),
  });
});

test("K21: a template limits which templates its agents may spawn, and how deep", async () => {
  const spawn = (prompt: string, subagent_type: string) => calling("task_run", { prompt, subagent_type });
  const { model, requests } = familyModel({
    SMALL: [calling("task_run", { prompt: "DEEPER" }), { text: "Found." }],
    CHILD: [spawn("SMALL", "lead"), spawn("SMALL", "explorer"), { text: "Done." }],
    PARENT: [spawn("CHILD", "lead"), { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({ dialect: "kode", agents: { maxDepth: 3, templates } });
  await runtime.agent({ model, session }).run("PARENT, go");
  const told = JSON.stringify(requests.CHILD!.at(-1)!.prompt);
  expect(told).toMatch(/agents of kind .+lead.+ may not be spawned here/);
  expect(told).toContain("Found.");
  expect(requests.SMALL).toHaveLength(2);
  const none = await openTestSession({ dialect: "kode", agents: { maxDepth: 0, templates } });
  const alone = familyModel({ PARENT: [spawn("CHILD", "lead"), { text: "Good." }] });
  await none.runtime.agent({ model: alone.model, session: none.session }).run("PARENT, go");
  expect(none.session.agents.list()).toEqual([]);
});
