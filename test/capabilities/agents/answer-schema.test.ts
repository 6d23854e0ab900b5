import { describe, expect, test } from "vitest";
import { z } from "zod";
import { modelNames, serveModel } from "../../support/model-server/serve-model.ts";
import type { ServedScript } from "../../support/model-server/start-model-server.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { openTestAgent, recordedModel } from "./open-agent.ts";

const schema = {
  type: "object",
  properties: { count: { type: "integer", minimum: 1 }, names: { type: "array", items: { type: "string" } } },
  required: ["count"],
} as const;
const strictSchema = {
  type: "object",
  properties: { count: { type: "integer" } },
  required: ["count"],
  additionalProperties: false,
} as const;
const look = { calls: [{ name: "echo", input: { text: "x" } }] };
const right = { text: '{"count": 2}' };

async function openServed(name: string, script: ServedScript) {
  const { model, requests } = await serveModel(name, script);
  const { runtime, session } = await openTestSession({ tools: [echo], permissions: { mode: "auto" } });
  return { agent: runtime.agent({ model, session, tools: ["echo"], retryDelayMs: 1 }), requests };
}

/** What a request over the wire asks the provider to hold the model to. */
function formatIn({ text }: { text: string }): string {
  const { text: format, response_format, output_config, generationConfig, tools } = JSON.parse(text);
  const answerTool = tools?.find(({ name }: { name?: string }) => name === "json");
  const { responseJsonSchema } = generationConfig ?? {};
  return JSON.stringify(format ?? response_format ?? output_config ?? responseJsonSchema ?? answerTool ?? "");
}

describe.each([...modelNames, "anthropic/claude-sonnet-4-5"])("%s", (name) => {
  // Servers of open models that hold a model to a format keep it from calling tools.
  const isHeld = !name.startsWith("openai-compatible");

  test("works with tools, is corrected once, and is asked without the format if its provider refuses it", async () => {
    const wrong = { text: '{"count": 0, "names": "a"}' };
    const steps = [look, wrong, right];
    const { agent, requests } = await openServed(name, ({ text }, count) => {
      const isRefused = count > 3 && formatIn({ text }).includes("count");
      return isRefused ? { status: 400, message: "Invalid schema" } : (steps[count - 1] ?? right);
    });
    const done = { reason: "done", value: { count: 2 } };
    expect(await agent.run("Count them.", { schema })).toMatchObject({ ...done, steps: 3 });
    expect(formatIn(requests[0]!).includes("count")).toBe(isHeld);
    expect(requests[0]!.text).toContain("fits this JSON Schema");
    expect(requests[2]!.text).toContain("$.count must be");
    expect(requests[2]!.text).toContain("$.names must be");
    expect(await agent.run("Count them.", { schema })).toMatchObject({ ...done, steps: 1 });
    expect(requests.length).toBe(isHeld ? 5 : 4);
    expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

test("a schema that strict mode has is held to strictly, any other is a guide", async () => {
  const { agent, requests } = await openServed("openai/gpt-test", [right, right]);
  await agent.run("Count them.", { schema: strictSchema });
  await agent.run("Count them.", { schema });
  expect(requests.map(({ body }) => body.text.format.strict)).toEqual([true, false]);
});

test("a server of open models gets the format where there are no tools", async () => {
  const { model, requests } = await serveModel("openai-compatible/any-test", [right]);
  const { runtime, session } = await openTestSession();
  const agent = runtime.agent({ model, session, tools: [] });
  expect(await agent.run("Count them.", { schema: strictSchema })).toMatchObject({ value: { count: 2 } });
  expect(formatIn(requests[0]!)).toContain("count");
});

test("an answer that does not fit twice fails the run, and says what is wrong with it", async () => {
  const { agent, events } = await openTestAgent([
    { text: "There are two." },
    { text: '{"count": "two", "why": 1}' },
  ]);
  const result = await agent.run("Count them.", { schema });
  expect(result).toMatchObject({ reason: "failed", steps: 2 });
  expect(result.error!.message).toMatch(
    /^its answer does not fit the schema, also after it was told why: .*\$\.count must be/,
  );
  expect(result).not.toHaveProperty("value");
  const told = (await events()).filter(({ type }) => type === "reminder-message");
  expect(told).toMatchObject([
    { about: "answer" },
    { about: "answer", text: expect.stringContaining("it is not JSON") },
  ]);
});

test("the log has the answer as a value, with secrets masked, and the next run is free of the schema", async () => {
  const secret = "hunter2-hunter2";
  const steps = [{ text: `\`\`\`json\n{"count": 2, "names": ["${secret}"]}\n\`\`\`` }, { text: "Yes." }];
  const { agent, events, requests } = await openTestAgent(steps, { runtime: { secrets: [secret] } });
  expect(await agent.run("Count them.", { schema })).toMatchObject({ value: { count: 2, names: [secret] } });
  const [end] = (await events()).filter(({ type }) => type === "agent-end");
  expect(end).toMatchObject({ reason: "done", value: { count: 2 } });
  expect(JSON.stringify(end)).not.toContain(secret);
  expect(await agent.run("Sure?")).not.toHaveProperty("value");
  expect(requests.map(({ responseFormat }) => responseFormat?.type)).toEqual(["json", undefined]);
});

test("the step limit ends a run whose answer does not fit yet, and later runs know what was wanted", async () => {
  const { agent, runtime, session } = await openTestAgent([{ text: "Two." }], { maxSteps: 1 });
  const { reason, ...rest } = await agent.run("Count them.", { schema });
  expect(reason).toBe("max-steps");
  expect(rest).not.toHaveProperty("value");
  const { model, requests } = recordedModel([right]);
  const another = runtime.agent({ model, session });
  expect(await another.run(undefined, { schema })).toMatchObject({ reason: "done", value: { count: 2 } });
  expect(JSON.stringify(requests[0]!.prompt)).toContain("Your answer does not fit: it is not JSON");
});

test("a schema of a library checks with its own rules and gives its own values", async () => {
  const { agent } = await openTestAgent([{ text: '{"day":"2026-02-30"}' }, { text: '{"day":"2026-02-03"}' }]);
  const day = z.object({ day: z.iso.date().transform((text) => text.split("-")) });
  expect(await agent.run("When?", { schema: day })).toMatchObject({
    value: { day: ["2026", "02", "03"] },
    steps: 2,
  });
});

test("a wrong schema is refused before the model is asked", async () => {
  const { agent, requests } = await openTestAgent([right]);
  for (const wrong of [[], "object", { type: "objekt" }, { $ref: "#/nowhere" }])
    await expect(agent.run("Count them.", { schema: wrong as never }), JSON.stringify(wrong)).rejects.toThrow(
      /schema|#/,
    );
  expect(requests).toEqual([]);
});
