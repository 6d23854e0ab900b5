import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ScriptedStep, scriptedModel } from "../../../src/capabilities/agents/index.ts";
import {
  Agent,
  type AgentConfig,
  type AgentDependencies,
  AgentTemplateRegistry,
  defineTool,
  type EnhancedToolContext,
  FsRead,
  FsWrite,
  type KodeEvent,
  ToolRegistry,
} from "../../../src/systems/kode/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

/** An agent on an empty workspace, whose model says these things. */
async function createAgent(
  steps: readonly ScriptedStep[],
  {
    config = {},
    dependencies = {},
  }: { config?: Partial<AgentConfig>; dependencies?: AgentDependencies } = {},
) {
  const left = [...steps];
  const offered: string[][] = [];
  const model = scriptedModel(({ tools = [] }) => {
    offered.push(tools.map(({ name }) => name));
    return left.shift() ?? { text: "Done." };
  });
  const workDir = await temporaryFolder();
  const { sandbox, ...others } = config;
  const agent = await Agent.create(
    {
      model,
      sandbox: { kind: "local", workDir, enforceBoundary: true, ...sandbox },
      toolwright: { store: "memory:" },
      ...others,
    },
    dependencies,
  );
  onTestFinished(() => agent.close());
  return { agent, workDir, offered };
}

const calling = (name: string, input: object): ScriptedStep => ({ calls: [{ name, input }] });

const greet = {
  name: "greet",
  description: "Greets.",
  input_schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  async exec(args: { name: string }) {
    return `Hello, ${args.name}!`;
  },
};

test("K43: tools of all kinds are mixed: an old one, a new one and built-in ones", async () => {
  const shout = defineTool({
    name: "shout",
    description: "Shouts.",
    params: { text: { type: "string" } },
    exec: async ({ text }) => text.toUpperCase(),
  });
  const { agent, workDir, offered } = await createAgent(
    [
      calling("greet", { name: "Ann" }),
      calling("shout", { text: "hi" }),
      calling("fs_write", { path: "a.txt", content: "written\n" }),
      { text: "All of it." },
    ],
    { config: { tools: [greet, shout, new FsRead(), new FsWrite()] } },
  );
  expect(await agent.chat("Go.")).toEqual({ status: "ok", text: "All of it." });
  expect(offered[0]?.toSorted()).toEqual(["fs_read", "fs_write", "greet", "shout"]);
  expect(await readFile(join(workDir, "a.txt"), "utf8")).toBe("written\n");
});

test("K28, K40: registered tools are chosen by a template, which also has the instructions", async () => {
  const toolRegistry = new ToolRegistry();
  toolRegistry.register("greet", () => greet);
  toolRegistry.registerMCPLoader("mine", async () => [
    { name: "ping", description: "Pings.", inputSchema: { type: "object" }, execute: async () => "pong" },
  ]);
  const templateRegistry = new AgentTemplateRegistry();
  templateRegistry.register({ id: "host", systemPrompt: "Be kind.", tools: ["greet", "mcp__mine__ping"] });
  const { agent, offered } = await createAgent([calling("mcp__mine__ping", {}), { text: "ok" }], {
    config: { templateId: "host" },
    dependencies: { toolRegistry, templateRegistry },
  });
  expect(await agent.chat("Go.")).toMatchObject({ status: "ok" });
  expect(offered[0]?.toSorted()).toEqual(["greet", "mcp__mine__ping"]);
  await expect(
    Agent.create({ templateId: "guest", model: scriptedModel([]) }, { templateRegistry }),
  ).rejects.toThrow("no template is registered as guest");
});

test("K17: a hook sees a call in KODE's words and lets a person decide, who is told why", async () => {
  const { agent } = await createAgent(
    [calling("bash_run", { cmd: "touch x" }), calling("bash_run", { cmd: "git --version" })],
    {
      config: {
        overrides: {
          hooks: {
            preToolUse(call) {
              if (call.name === "bash_run" && !/^git /.test(call.args.cmd))
                return { decision: "ask", meta: { reason: "not on the list" } };
              return undefined;
            },
          },
        },
      },
    },
  );
  const asked: KodeEvent[] = [];
  agent.on("permission_required", async (event) => {
    asked.push(event);
    await event.respond?.("deny", { note: "not now" });
  });
  const decided: KodeEvent[] = [];
  agent.on("permission_decided", (event) => decided.push(event));
  await agent.chat("Go.");
  expect(asked).toMatchObject([
    { call: { name: "bash_run" }, reason: expect.stringContaining("not on the list") },
  ]);
  await agent.close();
  expect(decided).toMatchObject([{ decision: "deny", note: "not now" }]);
});

test("hooks may deny, answer in a tool's place, and change a result", async () => {
  const { agent } = await createAgent(
    [
      calling("greet", { name: "nobody" }),
      calling("greet", { name: "Eve" }),
      calling("greet", { name: "Ann" }),
    ],
    {
      config: {
        tools: [greet],
        overrides: {
          hooks: {
            preToolUse({ args }) {
              if (args.name === "nobody") return { decision: "deny", reason: "nobody is there" };
              return args.name === "Eve" ? { result: "Eve is greeted already" } : undefined;
            },
            postToolUse: ({ content }) => ({ update: { content: `${content} (checked)` } }),
          },
        },
      },
    },
  );
  await agent.chat("Go.");
  const ended: unknown[] = [];
  for await (const event of agent.session.events({ since: 0 })) {
    if (event.type === "call-end") ended.push([event.receipt.status, event.text]);
    if (ended.length === 3) break;
  }
  expect(ended).toEqual([
    ["denied", expect.stringContaining("nobody is there")],
    ["done", "Eve is greeted already (checked)"],
    ["done", "Hello, Ann! (checked)"],
  ]);
});

test.each<[NonNullable<AgentConfig["overrides"]>["permission"] & object, boolean]>([
  [{ mode: "auto" }, true],
  [{ mode: "readonly" }, false],
  [{ denyTools: ["fs_write"] }, false],
  [{ allowTools: ["fs_glob"] }, false],
  [{ allowTools: ["fs_write"] }, true],
])("with the permissions %j a file is written: %s", async (permission, isWritten) => {
  const { agent, workDir } = await createAgent([calling("fs_write", { path: "a.txt", content: "x" })], {
    config: { overrides: { permission } },
  });
  await agent.chat("Go.");
  expect((await readdir(workDir)).includes("a.txt")).toBe(isWritten);
});

test("a call that needs approval pauses an agent without listeners, until it is decided", async () => {
  const { agent, workDir } = await createAgent([calling("fs_write", { path: "a.txt", content: "x" })], {
    config: { overrides: { permission: { requireApprovalTools: ["fs_write"] } } },
  });
  const reply = await agent.chat("Go.");
  expect(reply).toMatchObject({ status: "paused", permissionIds: [expect.any(String)] });
  expect(agent.status().state).toBe("PAUSED");
  const done = new Promise((resolve) => agent.on("done", resolve));
  await agent.decide(reply.permissionIds![0]!, "allow");
  await done;
  expect(await readFile(join(workDir, "a.txt"), "utf8")).toBe("x");
  expect(agent.status().state).toBe("READY");
  await expect(agent.decide(reply.permissionIds![0]!, "allow")).rejects.toThrow();
});

test("K33, K34: custom events reach listeners and subscribers, and a listener that fails stops nobody", async () => {
  const tool = defineTool({
    name: "process_data",
    description: "Processes.",
    params: { input: { type: "string" } },
    async exec({ input }, ctx) {
      ctx.emit("processing_started", { input });
      return input;
    },
  });
  const { agent } = await createAgent([calling("process_data", { input: "x" })], {
    config: { tools: [tool] },
  });
  const heard: KodeEvent[] = [];
  agent.on("tool_custom_event", () => {
    throw new Error("a listener's own mistake");
  });
  agent.on("tool_custom_event", (event) => heard.push(event));
  await agent.chat("Go.");
  const expected = {
    channel: "monitor",
    type: "tool_custom_event",
    toolName: "process_data",
    eventType: "processing_started",
    data: { input: "x" },
    timestamp: expect.any(Number),
  };
  for await (const { event, bookmark } of agent.subscribe(["monitor"], { kinds: ["tool_custom_event"] })) {
    expect(event).toMatchObject({ ...expected, bookmark });
    break;
  }
  await agent.close();
  expect(heard).toMatchObject([expected]);
});

test("K32: a tool finds what its host shares as `services`, and tells the monitor itself", async () => {
  const tool = {
    ...greet,
    name: "report",
    input_schema: { type: "object", properties: {} },
    async exec(_args: unknown, { services, agent: { id, events } }: EnhancedToolContext) {
      events.emitMonitor({
        type: "tool_custom_event",
        eventType: "seen",
        data: { id, shared: services.shared },
      });
      return "ok";
    },
  };
  const { agent } = await createAgent([calling("report", {})], {
    config: { tools: [tool] },
    dependencies: { services: { shared: 5 } },
  });
  const heard: KodeEvent[] = [];
  agent.on("tool_custom_event", (event) => heard.push(event));
  await agent.chat("Go.");
  await agent.close();
  expect(heard).toMatchObject([
    { toolName: "report", eventType: "seen", data: { id: agent.agentId, shared: 5 } },
  ]);
});

test("K36, K38, K41: a tool's time is up after `toolTimeoutMs`, and the error event says that it was aborted", async () => {
  const slow = defineTool({
    name: "slow",
    description: "Never ends.",
    params: {},
    exec: () => new Promise(() => {}),
  });
  const { agent } = await createAgent([calling("slow", {}), { text: "went on" }], {
    config: { tools: [slow], metadata: { toolTimeoutMs: 50 } },
  });
  const errors: KodeEvent[] = [];
  agent.on("error", (event) => {
    if (event.phase === "tool" && String(event.message).includes("aborted")) errors.push(event);
  });
  expect(await agent.chat("Go.")).toMatchObject({ text: "went on" });
  await agent.close();
  expect(errors).toMatchObject([{ detail: { toolName: "slow", status: "timed-out" } }]);
});

test("an agent goes on where it was, and one that never was cannot", async () => {
  const workDir = await temporaryFolder();
  const store = `sqlite:${join(await temporaryFolder(), "store.db")}`;
  const prompts: string[] = [];
  const model = scriptedModel(({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    return { text: "I see." };
  });
  const config = { model, sandbox: { workDir }, toolwright: { store } };
  const first = await Agent.create({ ...config, agentId: "kept" });
  await first.chat("The word is plum.");
  await first.close();
  const again = await Agent.resume("kept", config);
  // Only of what happens from now on, and not once more of what happened then.
  const ends: KodeEvent[] = [];
  again.on("done", (event) => ends.push(event));
  await again.chat("Which word?");
  expect(prompts[1]).toContain("plum");
  await again.close();
  expect(ends).toHaveLength(1);
  await expect(Agent.resume("unknown", config)).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
});

test("a hook sees each call in KODE's words, by whichever name of the tool and of its parameters it is made", async () => {
  const seen: unknown[] = [];
  const edit = { path: "a.txt", old_string: "a", new_string: "b", replace_all: false };
  const { agent } = await createAgent(
    [
      calling("shell_run", { command: "true" }),
      calling("search_grep", { pattern: "x", literal: true }),
      calling("file_multi_edit", { edits: [edit] }),
      calling("skills", { action: "load", skill_name: "pdf" }),
      calling("task_run", { prompt: "x", context: "y", agentTemplateId: "nobody" }),
    ],
    {
      config: {
        overrides: {
          hooks: {
            preToolUse({ name, args }) {
              seen.push([name, args]);
              return { decision: "deny", reason: "not now" };
            },
          },
        },
      },
    },
  );
  await agent.chat("go");
  expect(seen).toMatchObject([
    ["bash_run", { cmd: "true", background: false }],
    ["fs_grep", { pattern: "x", regex: false, case_sensitive: true }],
    ["fs_multi_edit", { edits: [{ path: "a.txt", find: "a", replace: "b" }] }],
    ["skills", { action: "load", skill_name: "pdf" }],
    ["task_run", { prompt: "x\n\ny", context: "y", subagent_type: "nobody" }],
  ]);
});

test("a loader's tool that answers ok: false has failed, and an instance of a class keeps its private fields", async () => {
  class Remote {
    readonly name = "remote";
    readonly description = "Fails on demand.";
    readonly inputSchema = { type: "object", properties: { ok: { type: "boolean" } } };
    readonly #error = "no such page";
    async execute({ ok }: { ok: boolean }) {
      return ok ? { ok, data: 1 } : { ok, error: this.#error, recommendations: ["Try another."] };
    }
  }
  const toolRegistry = new ToolRegistry();
  toolRegistry.registerMCPLoader("mine", async () => [new Remote()]);
  const { agent } = await createAgent([], {
    config: { toolwright: { store: "memory:", permissions: { allow: ["@execute", "@network"] } } },
    dependencies: { toolRegistry },
  });
  const call = (ok: boolean) => agent.session.call("mcp__mine__remote", { ok });
  expect(await call(true)).toMatchObject({ status: "done", data: { ok: true, data: 1 } });
  expect(await call(false)).toMatchObject({
    status: "failed",
    error: { code: "tool-failed", message: "no such page", hint: "Try another." },
  });
});
