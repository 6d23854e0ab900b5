import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listLocalModels } from "../../../../src/capabilities/agents/models/list-local-models.ts";
import { listProviders } from "../../../../src/capabilities/agents/models/list-providers.ts";
import { freePort } from "../../../support/free-port.ts";

test("Ollama and servers like it need neither a package nor a key; other models name the missing one", () => {
  const setups = listProviders({ GEMINI_API_KEY: "x" });
  const find = (wanted: string) => setups.find(({ name }) => name === wanted);
  expect(find("ollama")).toMatchObject({ isInstalled: true, needsKey: false, install: undefined });
  expect(find("openai-compatible")).toMatchObject({ isInstalled: true, needsKey: false });
  expect(find("google")).toMatchObject({ key: "GEMINI_API_KEY", install: "npm install @ai-sdk/google" });
  expect(find("anthropic")).toMatchObject({ key: undefined, keyVariables: ["ANTHROPIC_API_KEY"] });
});

test("a server's models are listed, its odd answers survived, and one that is not there told at once", async () => {
  let answer = JSON.stringify({ data: [{ id: "qwen3" }, { id: 7 }, null, { id: "a\u001b[2Jb" }] });
  const server = createServer((_request, response) => response.end(answer)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/v1`;
  const listed = await listLocalModels(`${url}/`);
  expect(listed).toMatchObject({ url, prefix: "openai-compatible/", models: ["qwen3", expect.any(String)] });
  expect(JSON.stringify(listed)).not.toContain("\\u001b");
  answer = "<html>";
  expect(await listLocalModels(url)).toMatchObject({ problem: expect.stringContaining("JSON") });
  answer = "x".repeat(2_000_000);
  expect(await listLocalModels(url)).toMatchObject({ problem: expect.stringContaining("too long") });
  const nobody = `http://127.0.0.1:${await freePort()}/v1`;
  expect(await listLocalModels(nobody)).toMatchObject({ problem: expect.stringContaining("ECONNREFUSED") });
});
