import { expect, test } from "vitest";
import {
  AgentTemplateRegistry,
  defineTool,
  type Hooks,
  kodeHooks,
  kodeTools,
  type Message,
  tool,
} from "../../../src/systems/kode/index.ts";
import { createKode } from "../../acceptance/kode/create-kode.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { familyModel } from "../../capabilities/agents/sub-agents/family-model.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  params: { text: { type: "string" } },
  attributes: { readonly: true },
  exec: async ({ text }) => text,
});

test("hooks around the model see the conversation in KODE's words, and what `preModel` changes is sent", async () => {
  const requests: Message[][] = [];
  const answers: Message[] = [];
  const changes: [string, number][] = [];
  const hooks: Hooks = {
    preModel(messages) {
      requests.push(structuredClone(messages));
      messages.push({ role: "user", content: [{ type: "text", text: `note ${messages.length}` }] });
      const [first] = messages[0]!.content;
      if (first?.type === "text") first.text = "Go, please.";
    },
    postModel: (response) => void answers.push(response),
    messagesChanged: ({ agentId, messages }) => void changes.push([agentId, messages.length]),
  };
  const { agent, requests: sent } = await createKode({ tools: [echo], overrides: { hooks } }, [
    calling("echo", { text: "hi" }),
    { text: "Over." },
  ]);
  expect(await agent.chat("Go.")).toMatchObject({ text: "Over." });
  expect(requests[1]).toEqual([
    { role: "user", content: [{ type: "text", text: "Go." }] },
    {
      role: "assistant",
      content: [expect.objectContaining({ type: "tool_use", name: "echo", input: { text: "hi" } })],
    },
    { role: "user", content: [expect.objectContaining({ type: "tool_result", content: "hi" })] },
  ]);
  expect(answers.map(({ content }) => content[0]?.type)).toEqual(["tool_use", "text"]);
  expect(changes).toEqual([1, 2, 3, 4].map((count) => [agent.agentId, count]));
  const prompt = JSON.stringify(sent[1]?.prompt);
  expect(prompt).toContain("Go, please.");
  expect(prompt).toContain("note 3");
  expect(prompt).toContain("tool-result");
  // The log keeps what was said.
  const said: string[] = [];
  for await (const event of agent.session.events({ since: 0 })) {
    if (event.type === "user-message") said.push(event.text);
    if (event.type === "agent-end") break;
  }
  expect(said).toEqual(["Go."]);
});

test("hooks around the model see the requests of sub-agents too, each with the id of its agent", async () => {
  const { model, requests } = familyModel({
    CHILD: [{ text: "Found." }],
    PARENT: [calling("task_run", { prompt: "CHILD, look", subagent_type: "helper" }), { text: "Good." }],
  });
  const templateRegistry = new AgentTemplateRegistry();
  templateRegistry.register({ id: "helper", desc: "Helps." });
  templateRegistry.register({ id: "lead", runtime: { subagents: { templates: ["helper"], depth: 1 } } });
  const agents = new Set<string>();
  const hooks: Hooks = {
    preModel: (messages) =>
      void messages.push({ role: "user", content: [{ type: "text", text: "Be kind." }] }),
    messagesChanged: ({ agentId }) => void agents.add(agentId),
  };
  const config = { templateId: "lead", model, overrides: { hooks } };
  const { agent } = await createKode(config, [], { templateRegistry });
  expect(await agent.chat("PARENT, go")).toMatchObject({ text: "Good." });
  expect(JSON.stringify(requests.CHILD?.[0]?.prompt)).toContain("Be kind.");
  expect(agents.size).toBe(2);
  expect(agents).toContain(agent.agentId);
});

test("a hook before the model that throws ends the work, and says why", async () => {
  const hooks: Hooks = {
    preModel() {
      throw new Error("not today");
    },
  };
  const { agent, requests } = await createKode({ overrides: { hooks } }, [{ text: "Never." }]);
  const errors: unknown[] = [];
  agent.on("error", ({ message }) => errors.push(message));
  await agent.chat("Go.");
  await agent.close();
  expect(requests).toEqual([]);
  expect(String(errors)).toContain("not today");
});

test("a tool's own hooks are asked for its calls alone, before all others, and are never left out", async () => {
  const asked: string[] = [];
  const guarded = tool({
    name: "guarded",
    hooks: {
      preToolUse({ name, args }, { agentId, signal }) {
        asked.push(`own ${name} ${typeof agentId} ${signal.aborted}`);
        return args.ok === true ? undefined : { decision: "deny", reason: "only ok" };
      },
      postToolUse: ({ content }) => ({ update: { content: `${content}!` } }),
    },
    execute: async () => "done",
  });
  const hooks: Hooks = { preToolUse: ({ name }) => void asked.push(`all ${name}`) };
  const { session } = await createKode({ tools: [guarded, echo], overrides: { hooks } });
  expect(await session.call("guarded", { ok: false })).toMatchObject({ status: "denied" });
  expect(await session.call("guarded", { ok: true })).toMatchObject({ text: "done!" });
  expect(await session.call("echo", { text: "x" })).toMatchObject({ text: "x" });
  expect(asked).toEqual(["own guarded string false", "own guarded string false", "all guarded", "all echo"]);
  expect(() => kodeTools([guarded])).toThrow("guarded has hooks of its own");
  const without = await openTestSession({
    permissions: { mode: "auto" },
    hooks: kodeHooks([guarded]),
    tools: kodeTools([guarded], { hasHooks: true }),
  });
  expect(await without.session.call("guarded", {})).toMatchObject({ status: "denied" });
});

test("K4: the record of a call tells every state that it was in, when, and what was said to it", async () => {
  const act = defineTool({
    name: "act",
    description: "Acts.",
    params: {},
    exec: async () => {
      throw new Error("the disk is full");
    },
  });
  const permission = { mode: "approval" } as const;
  const { agent } = await createKode({ tools: [act], overrides: { permission } }, [calling("act")]);
  const records: unknown[] = [];
  agent.on("permission_required", (event) => event.respond?.("allow", { note: "go on" }));
  agent.on("tool_executed", ({ call }) => records.push(call));
  await agent.chat("go");
  await agent.close();
  const at = { timestamp: expect.any(Number) };
  expect(records).toMatchObject([
    {
      state: "FAILED",
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      auditTrail: [
        { state: "PENDING", ...at },
        { state: "APPROVAL_REQUIRED", ...at },
        { state: "APPROVED", note: "go on", ...at },
        { state: "EXECUTING", ...at },
        { state: "FAILED", note: "the disk is full", ...at },
      ],
    },
  ]);
});

test("an agent's work can be followed as it happens", async () => {
  const { agent } = await createKode({}, [{ text: "One two." }]);
  const types: string[] = [];
  for await (const { event } of agent.chatStream("Go.")) types.push(event.type);
  expect(types).toEqual(["text_chunk_start", "text_chunk", "text_chunk_end", "done"]);
});
