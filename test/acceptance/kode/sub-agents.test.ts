import { expect, test } from "vitest";
import { AgentTemplateRegistry } from "../../../src/systems/kode/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { familyModel } from "../../capabilities/agents/sub-agents/family-model.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { createKode } from "./create-kode.ts";

const templates = {
  explorer: { description: "Finds.", system: "You find things.", tools: ["fs_read"] },
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
  const templateRegistry = new AgentTemplateRegistry();
  templateRegistry.register({ id: "helper", desc: "Helps." });
  templateRegistry.register({ id: "other", desc: "Does something else." });
  templateRegistry.register({ id: "lead", runtime: { subagents: { templates: ["helper"], depth: 1 } } });
  templateRegistry.register({ id: "alone", runtime: { subagents: { templates: ["helper"], depth: 0 } } });
  const run = async (templateId: string) => {
    const { model, requests } = familyModel({
      CHILD: [spawn("DEEPER", "helper"), { text: "Helped." }],
      PARENT: [spawn("CHILD", "other"), spawn("CHILD", "helper"), { text: "Good." }],
    });
    const { agent } = await createKode({ templateId, model }, [], { templateRegistry });
    await agent.chat("PARENT, go");
    const told = JSON.stringify(requests.PARENT!.at(-1)!.prompt);
    return { told, children: agent.session.agents.list(), child: requests.CHILD! };
  };
  const lead = await run("lead");
  expect(lead.children).toMatchObject([{ kind: "helper", status: "done" }]);
  expect(lead.told).toContain("Helped.");
  expect(lead.told).toMatch(/other/);
  expect(JSON.stringify(lead.child.at(-1)!.prompt)).toContain("not allowed here");
  expect((await run("alone")).children).toEqual([]);
});
