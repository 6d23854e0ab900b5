import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { serveForTest } from "../../faces/mcp-server/serve-for-test.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { setUpTracing } from "../../support/set-up-tracing.ts";

test("a call is a span by the conventions, without its input", async () => {
  const spans = setUpTracing();
  const { session } = await openTestSession({ tools: [echo], permissions: { mode: "readonly" } });
  const { callId } = await session.call("echo", { text: "a secret" });
  await session.call("Write", { file_path: "/a", content: "b" });
  const [done, denied] = spans();
  expect(done).toMatchObject({
    name: "execute_tool echo",
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "echo",
      "gen_ai.tool.call.id": callId,
      "gen_ai.tool.type": "function",
      "toolwright.status": "done",
      "toolwright.decided_by": "mode readonly",
    },
  });
  expect(JSON.stringify(done?.attributes)).not.toContain("secret");
  expect(denied).toMatchObject({
    name: "execute_tool file_write",
    attributes: { "error.type": "permission-denied", "toolwright.status": "denied" },
    status: { code: 2 },
  });
});

test("an agent's steps and calls are parts of its span", async () => {
  const spans = setUpTracing();
  const { runtime } = await openTestSession({ tools: [echo] });
  const model = scriptedModel([{ calls: [{ name: "echo", input: { text: "hi" } }] }, { text: "Done." }]);
  await runtime.agent({ model, name: "helper" }).run("Go.");
  const all = spans();
  const agent = all.find(({ name }) => name === "invoke_agent helper");
  expect(agent?.attributes).toMatchObject({ "gen_ai.agent.name": "helper", "toolwright.reason": "done" });
  const inside = all.filter(
    ({ parentSpanContext }) => parentSpanContext?.spanId === agent?.spanContext().spanId,
  );
  const chat = `chat ${model.modelId}`;
  expect(inside.map(({ name }) => name)).toEqual([chat, "execute_tool echo", chat]);
});

test("a trace goes on in an MCP server, which is told of it in the request", async () => {
  const spans = setUpTracing();
  const { url, token } = await serveForTest({ options: { tools: [echo] } });
  const mcpServers = { other: { url, headers: { Authorization: `Bearer ${token}` } } };
  const { runtime, session } = await openTestSession({ mcpServers, permissions: { mode: "auto" } });
  await runtime.mcp.ready();
  expect((await session.call("mcp__other__echo", { text: "hi" })).status).toBe("done");
  const [there, here] = spans();
  expect([there?.name, here?.name]).toEqual(["execute_tool echo", "execute_tool mcp__other__echo"]);
  expect(there?.parentSpanContext).toMatchObject({ spanId: here?.spanContext().spanId, isRemote: true });
  expect(there?.spanContext().traceId).toBe(here?.spanContext().traceId);
});

test("an exporter that fails changes no call", async () => {
  const broken = () => {
    throw new Error("no exporter");
  };
  setUpTracing({ onStart: broken, onEnd: broken, forceFlush: async () => {}, shutdown: async () => {} });
  const { session } = await openTestSession({ tools: [echo] });
  expect((await session.call("echo", { text: "hi" })).text).toBe("hi");
});

/** As an application would, until the end of the test; what has been traced so far. */
