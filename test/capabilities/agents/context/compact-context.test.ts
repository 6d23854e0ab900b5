import { expect, test } from "vitest";
import type { AgentParts } from "../../../../src/capabilities/agents/agent-run.ts";
import { compactContext } from "../../../../src/capabilities/agents/context/compact-context.ts";
import { createTokenMeter } from "../../../../src/capabilities/agents/context/token-meter.ts";
import type { OpenedSession } from "../../../../src/capabilities/agents/host/agent-runtime-parts.ts";
import { scriptedModel } from "../../../../src/capabilities/agents/index.ts";
import { createRun } from "../../../../src/capabilities/agents/run-agent.ts";
import { createTranscript } from "../../../../src/capabilities/agents/transcript/transcript.ts";
import { modelNames, serveModel } from "../../../support/model-server/serve-model.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";
import { calling, openTestAgent, recordedModel } from "../open-agent.ts";

/** The parts of a request that grow from step to step, and everything else. */
function partsOf(text: string) {
  const body = JSON.parse(text) as Record<string, unknown>;
  const name = ["messages", "input", "contents"].find((each) => Array.isArray(body[each])) ?? "";
  const { [name]: said, ...rest } = body;
  return { said: JSON.stringify(said).slice(0, -1), rest: JSON.stringify(rest) };
}

test.each(modelNames)(
  "%s: each request begins with the bytes of the one before it, until a summary takes their place",
  async (name) => {
    const { model, requests } = await serveModel(name, [
      { calls: [{ name: "echo", input: { text: "one" } }] },
      { text: "First." },
      { calls: [{ name: "todo_write", input: { todos: [{ title: "Paint it blue" }] } }] },
      { text: "Second." },
      { text: "They want a shed; the door is done." },
      { text: "Third." },
      { text: "Fourth." },
    ]);
    const { runtime, session } = await openTestSession({ tools: [echo], permissions: { mode: "auto" } });
    const agent = runtime.agent({ model, session });
    await agent.run("Build a shed");
    await agent.run("Now paint it");
    const summary = await agent.compact({ focus: "the door" });
    expect(summary).toContain("Build a shed");
    expect(summary).toMatch(/Now paint it[\s\S]*the door is done[\s\S]*Paint it blue/);
    await agent.run("Go on");
    await runtime.agent({ model, session }).run("And on");
    expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
    const sent = requests.map(({ text }) => partsOf(text));
    expect(sent).toHaveLength(7);
    const grows = sent
      .slice(1)
      .map(({ said, rest }, index) => said.startsWith(sent[index]!.said) && rest === sent[index]!.rest);
    // Also the request for the summary itself, and what another agent makes of the log.
    expect(grows).toEqual([true, true, true, true, false, true]);
    expect(sent[4]!.said).toContain("the door");
    expect(sent[5]!.said.length).toBeLessThan(sent[4]!.said.length);
  },
);

test("before the context is full, a summary keeps the task, the latest steps and what did not finish", async () => {
  const long = "word ".repeat(700);
  const script = Array.from({ length: 30 }, (_, step) => calling("echo", { text: `${step} ${long}` }));
  const asked: string[] = [];
  const { agent, session, requests, events, runtime } = await openTestAgent(
    ({ prompt }) => {
      const last = JSON.stringify(prompt.at(-1));
      if (last.includes("will be replaced by a summary")) {
        asked.push(last);
        return { text: `Summary ${asked.length}.`, usage: { inputTokens: 100, outputTokens: 10 } };
      }
      return script.shift() ?? { text: "Done." };
    },
    { runtime: { tools: [echo] }, summarize: true, contextTokens: 20_000, maxSteps: 50 },
  );
  const result = await agent.run("The task is to count");
  expect(result).toMatchObject({ reason: "done", text: "Done." });
  expect(asked.length).toBeGreaterThan(1);
  const log = await events();
  expect(log.filter(({ type }) => type === "context-trim")).toEqual([]);
  const summaries = log.flatMap((event) => (event.type === "context-compact" ? [event] : []));
  expect(summaries).toHaveLength(asked.length);
  expect(result.usage.inputTokens).toBe(100 * asked.length);
  for (const { text, kept } of summaries) {
    expect(text).toContain("The task is to count");
    expect(kept).toBeGreaterThan(0);
  }
  const last = requests.at(-1)!.prompt;
  expect(JSON.stringify(last[1])).toContain(`Summary ${asked.length}.`);
  // Whoever opens the conversation again has the same.
  const { model, requests: again } = recordedModel([{ text: "yes" }]);
  await runtime.agent({ model, session }).run("really?");
  expect(again[0]!.prompt.slice(0, last.length)).toEqual(last);
});

test("a model that fails to summarize loses nothing: old content is removed instead, and only a requested summary fails", async () => {
  const long = "word ".repeat(700);
  let steps = 0;
  const { agent, events } = await openTestAgent(
    ({ prompt }) => {
      if (JSON.stringify(prompt.at(-1)).includes("will be replaced by a summary"))
        return { error: Object.assign(new Error("no"), { statusCode: 400 }) };
      steps += 1;
      return steps < 25 ? calling("echo", { text: `${steps} ${long}` }) : { text: "Done." };
    },
    { runtime: { tools: [echo] }, summarize: true, contextTokens: 20_000 },
  );
  await expect(agent.compact()).rejects.toThrow("nothing to summarize");
  expect(await agent.run("go")).toMatchObject({ reason: "done" });
  const log = await events();
  expect(log.some(({ type }) => type === "context-trim")).toBe(true);
  expect(log.some(({ type }) => type === "context-compact")).toBe(false);
  await expect(agent.compact()).rejects.toThrow("no");
});

test("calls that did not run, or whose process is gone, are named in the summary", async () => {
  const transcript = createTranscript();
  transcript.addUser("go");
  const call = (callId: string) =>
    ({ type: "tool-call", callId, toolCallId: callId, toolName: callId, input: { callId } }) as const;
  const { calls } = transcript.addStep([call("finished"), call("lost"), call("waiting")], "tool-calls");
  transcript.answer(calls[0]!, { type: "text", value: "ok" });
  transcript.answer(calls[1]!, { type: "error-text", value: "its process ended" }, true);
  const { session, runtime } = await openTestSession();
  const host = await (session as OpenedSession).agentHost({ options: { model: "x" } });
  const options = { model: scriptedModel([{ text: "S." }]) };
  const offer = () => ({ tools: [], system: "", size: 0, nameOf: (name: string) => name });
  const parts = { host, options, model: options.model, transcript, offer, providerOptions: {}, notes: [] };
  const run = createRun(
    { ...parts, own: { since: 0, runId: "", messages: 0, notes: new Set() } } as unknown as AgentParts,
    {
      runId: "",
      signal: new AbortController().signal,
      meter: createTokenMeter(),
    },
  );
  const text = await compactContext(run, { kept: 0 });
  expect(text).toMatch(/not known:\n- lost \{"callId":"lost"\}\n- waiting/);
  expect(text).not.toContain("- finished");
  await runtime.close();
});
