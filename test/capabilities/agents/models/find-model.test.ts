import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { findInstall, findModel } from "../../../../src/capabilities/agents/models/find-model.ts";
import { modelKeys, modelNames } from "../../../support/model-server/serve-model.ts";
import { startModelServer } from "../../../support/model-server/start-model-server.ts";
import { openTestSession } from "../../../support/open-test-session.ts";

test.each([
  ["anthropic", "ANTHROPIC_API_KEY"],
  ["openai", "OPENAI_API_KEY"],
  ["google", "GOOGLE_GENERATIVE_AI_API_KEY"],
])("a missing key for %s is told in one sentence, which says what to set", async (provider, variable) => {
  await expect(findModel(`${provider}/some-model`, { environment: {} })).rejects.toThrow(
    `${provider}/some-model needs an API key: set ${variable}`,
  );
});

test("a key is taken without the spaces around it, and refused with anything odd in it", async () => {
  const server = await startModelServer([{ text: "hello" }]);
  const find = (key: string) =>
    findModel("anthropic/claude-test", { baseUrl: server.url, environment: { ANTHROPIC_API_KEY: key } });
  const { runtime } = await openTestSession();
  expect(await runtime.agent({ model: await find(" the-key\n") }).run("hi")).toMatchObject({ text: "hello" });
  expect(server.requests[0]!.headers["x-api-key"]).toBe("the-key");
  await expect(find(" \n")).rejects.toThrow("needs an API key: set ANTHROPIC_API_KEY");
  await expect(find("the-k…y")).rejects.toThrow("ANTHROPIC_API_KEY is not a valid API key");
  await expect(find("the-k…y")).rejects.not.toThrow("the-k");
});

test("a package that is not installed is named with the command that installs it, and only its own models need it", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--import",
    new URL("./hide-providers.ts", import.meta.url).href,
    new URL("./find-each-model.ts", import.meta.url).pathname,
  ]);
  expect(stdout.trim().split("\n")).toEqual([
    "anthropic/x needs a package that is not installed. Run: npm install @ai-sdk/anthropic",
    "openai/x needs a package that is not installed. Run: npm install @ai-sdk/openai",
    "google/x needs a package that is not installed. Run: npm install @ai-sdk/google",
    "a scripted model says hello",
  ]);
});

test("an unknown name of a model is refused with the names that would work", async () => {
  const unknown = findModel("antropic/claude", { environment: {} });
  await expect(unknown).rejects.toThrow("did you mean anthropic?");
  await expect(findModel("claude", { environment: {} })).rejects.toThrow("a name starts with anthropic/");
  const homeless = findModel("openai-compatible/llama", { environment: {} });
  await expect(homeless).rejects.toThrow("needs the base URL");
});

test("a model with a base URL may have any name, also one with slashes", async () => {
  const server = await startModelServer([{ text: "hello" }]);
  const model = await findModel("meta/llama-3", { baseUrl: server.url, environment: {} });
  const { runtime } = await openTestSession();
  expect(await runtime.agent({ model }).run("hi")).toMatchObject({ text: "hello" });
  expect(server.requests[0]!.body.model).toBe("meta/llama-3");
  expect(server.requests[0]!.headers.authorization).toBeUndefined();
});

test("a key of a vendor never goes to another address", async () => {
  const server = await startModelServer([{ text: "hello" }]);
  const model = await findModel("ollama/llama3", { baseUrl: server.url, environment: modelKeys });
  const { runtime } = await openTestSession();
  await runtime.agent({ model }).run("hi");
  expect(JSON.stringify(server.requests[0]!.headers)).not.toContain("test-key");
});

test.each(modelNames)("an agent finds %s by its name, with a key from the environment", async (model) => {
  for (const [variable, key] of Object.entries(modelKeys)) vi.stubEnv(variable, key);
  vi.stubEnv("GOOGLE_GENERATIVE_AI_API_KEY", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await startModelServer([{ text: "hello" }]);
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model, baseUrl: server.url });
  expect(await agent.run("hi")).toMatchObject({ reason: "done", text: "hello" });
  const [vendor] = model.split("/");
  const sent = JSON.stringify(server.requests[0]!.headers).match(/test-key-\w+/g) ?? [];
  expect(sent).toEqual(vendor === "openai-compatible" ? [] : [`test-key-${vendor}`]);
});

test("an agent finds a model by its name when it first works, and says what is missing", async () => {
  const { runtime } = await openTestSession();
  const agent = runtime.agent({ model: "nowhere/nothing" });
  await expect(agent.run("hi")).rejects.toThrow("unknown model");
});

test("a user who installed the command for all projects is told to install packages there too", () => {
  const globally = "file:///usr/lib/node_modules/toolwright/dist/index.js";
  expect(findInstall("x", globally, "/srv/me/project")).toEqual({
    command: ["npm", "install", "--global", "x"],
  });
  const locally = "file:///srv/me/project/node_modules/toolwright/dist/index.js";
  expect(findInstall("x", locally, "/srv/me/project/packages/a")).toEqual({
    command: ["npm", "install", "x"],
    folder: "/srv/me/project",
  });
});
