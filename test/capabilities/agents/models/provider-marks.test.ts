import { expect, test } from "vitest";
import { defineTool, openRuntime } from "../../../../src/index.ts";
import { createPlace } from "../../../e2e/open-temporary-runtime.ts";
import { serveModel } from "../../../support/model-server/serve-model.ts";
import type { ServedScript } from "../../../support/model-server/start-model-server.ts";
import type { RequestBody } from "../../../support/model-server/wire-format.ts";
import { echo } from "../../../support/sample-tools.ts";

/** What each vendor wants back with a step to know its own thoughts again, and where that stands in a request. */
const marks = [
  ["anthropic/claude-test", ({ messages }: RequestBody) => messages[1]?.content[0], "signed-14"],
  ["openai/gpt-5-test", ({ input }: RequestBody) => input.find(isReasoning), "encrypted-1"],
  ["google/gemini-3-test", ({ contents }: RequestBody) => contents[1]?.parts.find(isCall), "signed-1"],
] as const;

function isReasoning({ type }: RequestBody): boolean {
  return type === "reasoning";
}

function isCall({ functionCall }: RequestBody): boolean {
  return functionCall !== undefined;
}

type Place = Awaited<ReturnType<typeof createPlace>>;

async function openServed(name: string, { workspace, store }: Place, script: ServedScript) {
  const { model, requests } = await serveModel(name, script);
  const runtime = await openRuntime({
    workspace,
    store,
    tools: [echo, recite],
    permissions: { mode: "auto" },
  });
  const agent = (contextTokens = 128_000) =>
    runtime.agent({ model, session: { id: "talk" }, retryDelayMs: 1, contextTokens });
  return { runtime, agent, requests };
}

const recite = defineTool({
  name: "recite",
  description: "Says a lot.",
  params: {},
  traits: { readOnly: true },
  run: () => "and so on ".repeat(20_000),
});

const think = { reasoning: "I should look.", calls: [{ name: "echo", input: { text: "x" } }] };

test.each(marks)(
  "%s gets its marks back in the next step, and after the process has ended",
  async (...given) => {
    const [name, find, mark] = given;
    const place = await createPlace();
    const first = await openServed(name, place, [think, { text: "done" }]);
    await first.agent().run("go");
    await first.runtime.close();
    const marked = find(first.requests[1]!.body);
    expect(JSON.stringify(marked)).toContain(mark);

    const second = await openServed(name, place, [{ text: "done" }]);
    expect(await second.agent().run("and now?")).toMatchObject({ reason: "done" });
    await second.runtime.close();
    expect(find(second.requests[0]!.body)).toEqual(marked);
  },
);

test.each(marks)("%s gets its marks back with a step whose output was left out", async (...given) => {
  const [name, find, mark] = given;
  const place = await createPlace();
  const first = await openServed(name, place, [
    { ...think, calls: [{ name: "recite" }] },
    { status: 400, message: "prompt is too long" },
    { text: "done" },
  ]);
  expect(await first.agent().run("go")).toMatchObject({ reason: "done" });
  await first.runtime.close();
  const second = await openServed(name, place, [{ text: "done" }]);
  expect(await second.agent().run("and now?")).toMatchObject({ reason: "done" });
  await second.runtime.close();
  for (const { body, text } of [first.requests[2]!, second.requests[0]!]) {
    expect(text).toContain("of output removed here");
    expect(JSON.stringify(find(body))).toContain(mark);
  }
});

test.each(marks)("%s takes a step back whose thoughts were masked in the log, in part", async (name) => {
  const place = await createPlace();
  const secret = "sk-abcdefghijklmnopqrstuvwxyz0123456789";
  const first = await openServed(name, place, [
    { ...think, reasoning: `I should look.\n\nThe key is ${secret}.` },
    { text: "done" },
  ]);
  await first.agent().run("go");
  await first.runtime.close();
  const second = await openServed(name, place, [{ text: "done" }]);
  expect(await second.agent().run("and now?")).toMatchObject({ reason: "done" });
  await second.runtime.close();
  expect(second.requests[0]!.problems).toEqual([]);
  expect(second.requests[0]!.text).not.toContain("sk-abc");
});

test("thoughts without a signature go back too, in the next step and after the process has ended", async () => {
  const place = await createPlace();
  const first = await openServed("openai-compatible/any-test", place, [think, { text: "done" }]);
  await first.agent().run("go");
  await first.runtime.close();
  const second = await openServed("openai-compatible/any-test", place, [{ text: "done" }]);
  await second.agent().run("and now?");
  await second.runtime.close();
  const [before, after] = [first.requests[1]!.body.messages, second.requests[0]!.body.messages];
  expect(before[2]).toMatchObject({ role: "assistant", reasoning_content: "I should look." });
  expect(after.slice(0, before.length)).toEqual(before);
});

test("gemini gets back the signature that comes after the last word", async () => {
  const place = await createPlace();
  const script: ServedScript = [{ text: "hello" }, { text: "again" }];
  const { agent, requests, runtime } = await openServed("google/gemini-3-test", place, script);
  const talking = agent();
  await talking.run("hi");
  await talking.run("hi again");
  await runtime.close();
  expect(requests[1]!.body.contents[1]).toEqual({
    role: "model",
    parts: [{ text: "hello", thoughtSignature: "signed-1" }],
  });
});

const names = [...marks.map(([name]) => name), "openai-compatible/any-test"];
const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));

test.each(pairs)("a conversation begun with %s goes on with %s", async (one, other) => {
  const place = await createPlace();
  const first = await openServed(one, place, [
    { ...think, text: "Let me see." },
    { reasoning: "hm", text: "done" },
    { reasoning: "nothing to say" },
  ]);
  const talking = first.agent();
  await talking.run("go");
  await talking.run("well?");
  await first.runtime.close();
  const second = await openServed(other, place, [think, { text: "done" }]);
  expect(await second.agent().run("and now?")).toMatchObject({ reason: "done" });
  await second.runtime.close();
});
