import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { listenAsModel } from "../../../../support/model-server/start-model-server.ts";
import { openTestTalk } from "../open-test-talk.ts";

async function serveList(models: readonly string[]): Promise<string> {
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ data: models.map((id) => ({ id })) })),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test("/model alone lists the models of the server, the one in use and the providers, and one can be chosen", async () => {
  vi.stubEnv("OPENAI_API_KEY", "test-key");
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const baseUrl = await serveList(["small", "large"]);
  const { say, answers, choices, filled, status } = await openTestTalk([], {
    agent: { model: "openai-compatible/small", baseUrl },
  });
  answers.push("openai-compatible/large");
  expect(await say("/model")).toBe("model: openai-compatible/large");
  expect(status()!.model).toBe("openai-compatible/large");
  expect(choices[0]).toEqual({
    title: "The model is openai-compatible/small",
    labels: [
      "openai-compatible/small",
      "openai-compatible/large",
      "anthropic/…",
      "openai/…",
      "google/…",
      "ollama/…",
      "openai-compatible/…",
    ],
  });
  answers.push("openai/…");
  await say("/model");
  expect(filled()).toBe("/model openai/");
  answers.push("anthropic/…");
  expect(await say("/model")).toContain("needs: set ANTHROPIC_API_KEY");
  answers.push(undefined);
  expect(await say("/model")).toBe("");
  expect(status()!.model).toBe("openai-compatible/large");
});

test("a model of another provider is not asked at the server of the first, so that its key stays away from there", async () => {
  vi.stubEnv("OPENAI_API_KEY", "test-key");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const server = await listenAsModel([{ text: "Here." }]);
  onTestFinished(server.close);
  const { talk, say } = await openTestTalk([], {
    agent: { model: "openai-compatible/small", baseUrl: server.url },
  });
  expect(talk.agent.modelPlace("openai-compatible/large")).toEqual({ baseUrl: server.url });
  expect(talk.agent.modelPlace("any-name")).toEqual({ baseUrl: server.url });
  for (const name of ["openai/gpt", "anthropic/claude", "google/gemini", "ollama/llama"])
    expect(talk.agent.modelPlace(name)).toEqual({});
  expect(await say("hello")).toContain("Here.");
  const proxied = await openTestTalk([], { agent: { model: "openai/gpt", baseUrl: server.url } });
  expect(proxied.talk.agent.modelPlace("openai/other")).toEqual({ baseUrl: server.url });
});
