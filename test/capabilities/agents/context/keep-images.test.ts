import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Script } from "../../../../src/capabilities/agents/index.ts";
import { defineTool, openRuntime } from "../../../../src/index.ts";
import { stateFolderOf } from "../../../../src/kernel/runtime/places/state-folder.ts";
import { createPlace } from "../../../e2e/open-temporary-runtime.ts";
import { answersIn, calling, recordedModel } from "../open-agent.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const draw = defineTool({
  name: "draw",
  description: "Draws a picture.",
  params: { words: { type: "string", default: "a pixel" }, data: { type: "string", default: pixel } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ words, data }) => ({
    content: [
      { type: "text", text: words },
      { type: "image", data, mimeType: "image/png" },
    ],
  }),
});

type Place = Awaited<ReturnType<typeof createPlace>>;

async function talk(
  { workspace, store }: Place,
  script: Script,
  { contextTokens = 128_000, sees = true } = {},
) {
  const runtime = await openRuntime({ workspace, store, tools: [draw], permissions: { mode: "auto" } });
  const { model, requests } = recordedModel(script);
  const given = sees ? model : { ...model, provider: "blind.chat" };
  const agent = runtime.agent({ model: given, session: { id: "talk" }, contextTokens });
  const result = await agent.run("go on");
  await runtime.close();
  return { result, requests };
}

test("an image that a model was shown is shown again after the process has ended, byte for byte", async () => {
  const place = await createPlace();
  const both = { calls: [{ name: "draw" }, { name: "draw", input: { words: "another" } }] };
  const first = await talk(place, [both, { text: "I see." }]);
  const before = first.requests[1]!.prompt;
  expect(JSON.stringify(before).split(pixel)).toHaveLength(3);
  const second = await talk(place, [{ text: "still" }]);
  const after = second.requests[0]!.prompt;
  expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
});

test("an image whose bytes are gone is told in words", async () => {
  const place = await createPlace();
  await talk(place, [calling("draw"), { text: "I see." }]);
  const blobs = join(stateFolderOf(place.workspace), "blobs");
  for (const name of await readdir(blobs)) await rm(join(blobs, name));
  const { result, requests } = await talk(place, [{ text: "no more" }]);
  expect(result).toMatchObject({ reason: "done" });
  const [answer] = answersIn(requests[0]!);
  expect(answer).toMatchObject({
    type: "text",
    value: expect.stringMatching(/a pixel\n\[image image\/png, \d+ bytes\]/),
  });
});

test("a model that cannot see goes on with the words", async () => {
  const place = await createPlace();
  await talk(place, [calling("draw"), { text: "I see." }]);
  const { requests } = await talk(place, [{ text: "what was that?" }], { sees: false });
  expect(answersIn(requests[0]!)).toMatchObject([
    { type: "text", value: expect.stringContaining("a pixel") },
  ]);
});

test("an image that the provider refuses is told in words, before the others, and the conversation goes on", async () => {
  const place = await createPlace();
  const refuse: Script = (request, step) => {
    if (JSON.stringify(answersIn(request)).includes("broken"))
      return { error: Object.assign(new Error("Could not process image"), { statusCode: 400 }) };
    if (step === 1) return calling("draw");
    return step === 2 ? calling("draw", { data: "broken" }) : { text: "went on" };
  };
  const first = await talk(place, refuse);
  expect(first.result).toMatchObject({ reason: "done", text: "went on", steps: 3 });
  const before = JSON.stringify(first.requests.at(-1)!.prompt);
  expect(before).toContain(pixel);
  expect(before).toContain("an image that could not be shown to you");
  const second = await talk(place, [{ text: "ok" }]);
  expect(JSON.stringify(second.requests[0]!.prompt).startsWith(before.slice(0, -1))).toBe(true);
});

test("where no image is the cause, what the provider says is told, and the images stay", async () => {
  const { workspace, store } = await createPlace();
  const error = Object.assign(new Error("no such thing"), { statusCode: 400 });
  const live = recordedModel((_request, step) => {
    if (step <= 2) return calling("draw");
    return step <= 5 ? { error } : { text: "I see." };
  });
  const runtime = await openRuntime({ workspace, store, tools: [draw], permissions: { mode: "auto" } });
  const agent = runtime.agent({ model: live.model, session: { id: "talk" } });
  const result = await agent.run("go on");
  expect(result).toMatchObject({ reason: "failed", error: { message: "no such thing (HTTP 400)" } });
  expect(live.requests.map(({ prompt }) => JSON.stringify(prompt).split(pixel).length - 1)).toEqual([
    0, 1, 2, 1, 0,
  ]);
  await agent.run("and now?");
  await runtime.close();
  const before = JSON.stringify(live.requests.at(-1)!.prompt);
  expect(before.split(pixel)).toHaveLength(3);
  const later = await talk({ workspace, store } as Place, [{ text: "ok" }]);
  expect(JSON.stringify(later.requests[0]!.prompt).startsWith(before.slice(0, -1))).toBe(true);
});

test("images that were left out to save room stay left out", async () => {
  const place = await createPlace();
  const script: Script = (_request, step) =>
    step > 30 ? { text: "done" } : calling("draw", { words: `picture ${step} ${"x".repeat(500)}` });
  const first = await talk(place, script, { contextTokens: 20_000 });
  const before = JSON.stringify(first.requests.at(-1)!.prompt).slice(0, -1);
  expect(before).toContain("of output removed here");
  const second = await talk(place, [{ text: "ok" }], { contextTokens: 20_000 });
  expect(JSON.stringify(second.requests[0]!.prompt).startsWith(before)).toBe(true);
});
