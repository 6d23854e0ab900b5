import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateElicitationRequest, McpServer } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { define, sampleServer } from "../../capabilities/mcp-client/sample-servers.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { openEditor } from "./open-editor.ts";

const prompt = (text: string) => [{ type: "text" as const, text }];

test("a tool's question is a form in the editor, asked again until the answer fits, and may be declined", async () => {
  const ask = (question: string) => ({ name: "user_ask", input: { question, choices: ["red", "blue"] } });
  const forms: CreateElicitationRequest[] = [];
  const answers = [
    { action: "accept" as const, content: { answer: "green" } },
    { action: "accept" as const, content: { answer: "blue" } },
    { action: "decline" as const },
  ];
  const { agent, workspace, updates } = await openEditor({
    steps: [{ calls: [ask("Which?")] }, { calls: [ask("And now?")] }, { text: "Done." }],
    options: { dialect: "canonical", permissions: { mode: "ask" } },
    fill(form) {
      forms.push(form);
      return answers.shift() ?? { action: "cancel" };
    },
  });
  const { sessionId } = await agent.request("session/new", { cwd: workspace, mcpServers: [] });
  await agent.request("session/prompt", { sessionId, prompt: prompt("Go.") });
  expect(forms).toHaveLength(3);
  expect(forms[0]).toMatchObject({ mode: "form", sessionId });
  expect(forms[0]?.message).toContain("asks:");
  expect(forms[1]?.message).toContain("That is not one of the choices.");
  const ends = updates.flatMap((update) =>
    update.sessionUpdate === "tool_call_update" && update.content ? [JSON.stringify(update.content)] : [],
  );
  expect(ends[0]).toContain("blue");
  expect(ends[1]).toContain("declined to answer");
});

test("the editor chooses the model of the next prompt, and is told why one cannot be used", async () => {
  const other = join(await temporaryFolder(), "other.json");
  await writeFile(other, JSON.stringify([{ text: "From the other." }]));
  const { agent, workspace, updates } = await openEditor({
    steps: [{ text: "From the first." }],
    models: [`scripted/${other}`],
  });
  const { sessionId, configOptions } = await agent.request("session/new", { cwd: workspace, mcpServers: [] });
  const [choice] = configOptions ?? [];
  expect(choice).toMatchObject({ id: "model", category: "model", type: "select" });
  const choose = (value: string) =>
    agent.request("session/set_config_option", { sessionId, configId: "model", value });
  await expect(choose("missing/x")).rejects.toThrow("missing/x needs a package");
  await agent.request("session/prompt", { sessionId, prompt: prompt("Hi.") });
  const { configOptions: now } = await choose(`scripted/${other}`);
  expect(now[0]).toMatchObject({ currentValue: `scripted/${other}` });
  await agent.request("session/prompt", { sessionId, prompt: prompt("Hi.") });
  const said = updates.flatMap((update) =>
    update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
      ? [update.content.text]
      : [],
  );
  expect(said.join("|")).toContain("From the first.");
  expect(said.join("|")).toContain("From the other.");
});

test("commands from files are offered, and one at the beginning of a prompt is filled in", async () => {
  const greet = { name: "greet", about: "Greets", message: (to: string) => `Say hello to ${to}.` };
  const { agent, workspace, updates } = await openEditor({
    steps: [{ text: "Hello." }, { text: "Hm." }],
    commands: new Map([["greet", greet]]),
  });
  const { sessionId } = await agent.request("session/new", { cwd: workspace, mcpServers: [] });
  await until(() => updates.some(({ sessionUpdate }) => sessionUpdate === "available_commands_update"));
  expect(updates).toContainEqual({
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "greet", description: "Greets", input: { hint: "arguments" } }],
  });
  await agent.request("session/prompt", { sessionId, prompt: prompt("/greet the world") });
  await agent.request("session/prompt", { sessionId, prompt: prompt("/unknown stays") });
  await agent.request("session/close", { sessionId });
  updates.length = 0;
  await agent.request("session/load", { sessionId, cwd: workspace, mcpServers: [] });
  const said = updates.flatMap((update) =>
    update.sessionUpdate === "user_message_chunk" && update.content.type === "text"
      ? [update.content.text]
      : [],
  );
  expect(said).toEqual(["Say hello to the world.", "/unknown stays"]);
});

test("an MCP server that the editor passes on is started, and its tools are used", {
  timeout: 60_000,
}, async () => {
  const { options } = await sampleServer([define("shout")]);
  const { agent, workspace, updates } = await openEditor({
    steps: [{ calls: [{ name: "mcp__loud__shout", input: {} }] }, { text: "Done." }],
    options: { permissions: { mode: "auto" } },
    answer: () => "allow",
  });
  const server: McpServer = {
    name: "loud",
    command: options.command,
    args: [...(options.args ?? [])],
    env: Object.entries(options.env ?? {}).map(([name, value]) => ({ name, value: String(value) })),
  };
  const { sessionId } = await agent.request("session/new", { cwd: workspace, mcpServers: [server] });
  await agent.request("session/prompt", { sessionId, prompt: prompt("Go.") });
  const ends = updates.filter(
    (update) => update.sessionUpdate === "tool_call_update" && update.status === "completed",
  );
  expect(ends, JSON.stringify(updates)).toHaveLength(1);
});
