import { expect, test } from "vitest";
import { modelNames, serveModel } from "../../support/model-server/serve-model.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** A PNG of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const prompt = [
  { type: "text" as const, text: "What is this?" },
  { type: "image" as const, data: pixel, mimeType: "image/png" },
];

test.each(modelNames)(
  "%s is shown the images of a message, and again when the session is resumed",
  async (name) => {
    const { model, requests } = await serveModel(name, [
      { text: "A pixel." },
      { text: "Still." },
      { text: "Yes." },
    ]);
    const { runtime, session } = await openTestSession();
    expect(await runtime.agent({ model, session }).run(prompt)).toMatchObject({ reason: "done" });
    // Another agent of the session reads the conversation from the log.
    const agent = runtime.agent({ model, session });
    await agent.run("And now?");
    await agent.run([{ type: "image", data: Buffer.from(pixel, "base64"), mimeType: "image/png" }]);
    const shown = requests.map(({ text }) => text.split(pixel).length - 1);
    expect(shown).toEqual([1, 1, 2]);
    expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
  },
);

test("images that the provider refuses are left out, and the model is told", async () => {
  const { model, requests } = await serveModel("anthropic/claude-test", [
    { status: 400, message: "could not process image" },
    { text: "I see nothing." },
    { text: "Still nothing." },
  ]);
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model });
  expect(await agent.run(prompt)).toMatchObject({ reason: "done", text: "I see nothing." });
  await agent.run("And now?");
  expect(requests.map(({ text }) => text.includes(pixel))).toEqual([true, false, false]);
  expect(requests[1]!.text).toContain("images that could not be shown to you");
});

test("a message with a broken image, with too many of them or without content is refused before anything is sent", async () => {
  const { model, requests } = await serveModel("anthropic/claude-test", []);
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model });
  const image = (data: string, mimeType = "image/png") => [{ type: "image" as const, data, mimeType }];
  await expect(agent.run(image(pixel, "image/svg+xml"))).rejects.toThrow("an image must be image/png");
  await expect(agent.run(image("<svg>"))).rejects.toThrow("must be base64");
  await expect(agent.run(image("A".repeat(11_000_000)))).rejects.toThrow("at most 10 MB");
  await expect(agent.run(Array.from({ length: 21 }, () => image(pixel)).flat())).rejects.toThrow(
    "at most 20",
  );
  await expect(agent.run([])).rejects.toThrow("must be a string that is not empty");
  expect(requests).toEqual([]);
});

test("hooks see the words of a message with images too", async () => {
  const { model } = await serveModel("anthropic/claude-test", [{ text: "never" }]);
  const seen: unknown[] = [];
  const { runtime } = await openTestSession({
    hooks: {
      event: (notice) => {
        if (notice.event !== "UserPromptSubmit") return undefined;
        seen.push(notice.prompt);
        return { decision: "deny", reason: "not here" };
      },
    },
  });
  await expect(runtime.agent({ model }).run(prompt)).rejects.toThrow("not here");
  expect(seen).toEqual(["What is this?"]);
});
