import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfigFile } from "../../../../src/faces/cli/config/config-file.ts";

async function writeConfig(text: string): Promise<{ folder: string; file: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "toolwright-config-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "config.json");
  await writeFile(file, text);
  return { folder, file };
}

test("paths are relative to the file, and everything else stays as it is written", async () => {
  const { folder, file } = await writeConfig(
    JSON.stringify({
      workspace: { root: "work", extraRoots: ["../../more", "/far"] },
      store: "sqlite:records.db",
      dialect: "internal",
      durability: "power-loss",
      permissions: { mode: "edit", allow: ["file_read(src/**)"] },
      toolFolders: ["tools"],
      plugins: ["./plugin.mjs", "some-package", "/far/plugin.mjs"],
      budget: { calls: 3 },
      timeoutMs: 500,
      secrets: ["s3cret"],
      strictInput: true,
      output: { maxCharacters: 20_000, tools: { shell_run: 50_000 } },
      deferral: { maxTools: 30, maxContextShare: 0.1, contextTokens: 128_000 },
      agents,
    }),
  );
  expect(await readConfigFile(file)).toEqual({
    workspace: { root: join(folder, "work"), extraRoots: [join(folder, "../../more"), "/far"] },
    store: `sqlite:${join(folder, "records.db")}`,
    dialect: "internal",
    durability: "power-loss",
    permissions: { mode: "edit", allow: ["file_read(src/**)"] },
    toolFolders: [join(folder, "tools")],
    plugins: [join(folder, "plugin.mjs"), "some-package", "/far/plugin.mjs"],
    budget: { calls: 3 },
    timeoutMs: 500,
    secrets: ["s3cret"],
    strictInput: true,
    output: { maxCharacters: 20_000, tools: { shell_run: 50_000 } },
    deferral: { maxTools: 30, maxContextShare: 0.1, contextTokens: 128_000 },
    agents,
  });
});

const agents = {
  model: "ollama/small",
  baseUrl: "http://127.0.0.1:11434/v1",
  maxDepth: 0,
  maxRunning: 2,
  maxSteps: 10,
  templates: { reader: { description: "Reads", tools: ["Read"] } },
};

test("a workspace may be a single folder, and a store in memory has no path", async () => {
  const { folder, file } = await writeConfig('{"workspace":".","store":"memory:"}');
  expect(await readConfigFile(file)).toEqual({ workspace: folder, store: "memory:" });
});

test.each([
  ['{"mode":"auto"}', "mode is not an option; did you mean permissions.mode?"],
  ['{"permissions":{"mode":"yolo"}}', "$.permissions.mode must be"],
  ['{"permissions":{"alow":[]}}', "permissions.alow is not an option; did you mean permissions.allow?"],
  ['{"budget":{"calls":-1}}', "$.budget.calls must be"],
  ['{"budget":{"token":1}}', "budget.token is not an option"],
  ['{"timeoutMs":0}', "$.timeoutMs must be"],
  ['{"toolFolders":"tools"}', "$.toolFolders must be"],
  ['{"workspace":{"extraRoots":[]}}', "$.workspace"],
  ['{"agents":{"maxDepht":1}}', "agents.maxDepht is not an option; did you mean agents.maxDepth?"],
  ['{"agents":{"maxDepth":-1}}', "$.agents.maxDepth must be"],
  ['{"agents":{"maxRunning":0}}', "$.agents.maxRunning must be"],
  ['{"agents":{"model":{}}}', "$.agents.model must be"],
  ['{"agents":{"templates":["reader"]}}', "agents.templates must be an object"],
  ['{"output":{"maxCharacters":-1}}', "$.output.maxCharacters must be"],
  ['{"output":{"tools":{"Read":1}}}', "$.output.tools.Read must be"],
  ['{"output":{"characters":2000}}', "output.characters is not an option"],
  ['{"hooks":{"PreTool":[]}}', "hooks.PreTool is not an option"],
  ["[]", "the options must be an object"],
  ["{", "is not valid JSON"],
])("%s is refused with the file, the place and the reason", async (text, problem) => {
  const { file } = await writeConfig(text);
  const error = await readConfigFile(file).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "ConfigError" });
  expect((error as Error).message).toContain(file);
  expect((error as Error).message).toContain(problem);
});

test("a file that is not there is named", async () => {
  await expect(readConfigFile("/nowhere/config.json")).rejects.toThrow(
    "the configuration /nowhere/config.json cannot be read",
  );
});

test("databases and the list of variables come from the file, with paths relative to it, and unknown keys are refused", async () => {
  const system = { variables: ["NODE_ENV"] };
  const stats = { postgres: { env: "STATS_URL" }, superuser: true };
  const databases = { shop: { sqlite: "data/shop.db", writable: true }, far: { sqlite: "/far/a.db" }, stats };
  const { folder, file } = await writeConfig(JSON.stringify({ system, databases }));
  expect(await readConfigFile(file)).toEqual({
    system,
    databases: { ...databases, shop: { sqlite: join(folder, "data/shop.db"), writable: true } },
  });
  const { file: wrong } = await writeConfig(
    JSON.stringify({ databases: { shop: { sqlite: "a", writeable: true } } }),
  );
  await expect(readConfigFile(wrong)).rejects.toThrow("writeable");
});
