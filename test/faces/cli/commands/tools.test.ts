import { expect, test } from "vitest";
import { createCli, createCliWithTools, packageAddress } from "../run-cli.ts";

test("every tool is a line with its name, traits, description, and its source when it is not built in", async () => {
  const cli = await createCliWithTools({
    "note/add.mjs": `name: "add", description: "Adds a note\\nMore of it", params: {}, traits: { destructive: true },
      run: () => "added"`,
  });
  const { exitCode, stdout, stderr } = await cli(["tools", "--config", "config.json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = stdout.split("\n");
  expect(lines.find((line) => line.startsWith("Read "))).toMatch(
    /^Read +read-only, parallel +Read a text file\b/,
  );
  expect(lines.find((line) => line.startsWith("note_add "))).toMatch(
    /^note_add +destructive +folder .*\/tools +Adds a note$/,
  );
});

test("--json prints the catalogue as a session gives it", async () => {
  const cli = await createCli();
  const { stdout } = await cli(["tools", "--json", "--dialect", "internal"]);
  const tools = JSON.parse(stdout);
  expect(tools.map(({ name }: { name: string }) => name)).toContain("internal_file_list");
  expect(tools[0]).toMatchObject({
    name: expect.any(String),
    description: expect.any(String),
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  });
});

test("a broken tool file is told on stderr and leaves the others alone", async () => {
  const cli = await createCli({
    "tools/note/bad.mjs": "export default 5;",
    "config.json": '{"toolFolders":["tools"]}',
  });
  const { exitCode, stdout, stderr } = await cli(["tools", "--config", "config.json"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("file_list");
  expect(stderr).toContain("note/bad.mjs");
});

test("one tool is shown in full, by whichever of its names", async () => {
  const cli = await createCli();
  const spoken = await cli(["tools", "Read"]);
  expect(spoken.exitCode).toBe(0);
  for (const part of [
    /file_path +string +required +The absolute path/,
    /offset +integer \(at least 0\) +default 0/,
    /canonical name +file_read/,
    /traits +read-only/,
    /safety level +0 \(changes nothing, so there is nothing to undo\)/,
    /provided by +built-in\n/,
  ]) {
    expect(spoken.stdout).toMatch(part);
  }
  const json = JSON.parse((await cli(["tools", "Read", "--json"])).stdout);
  expect(json).toMatchObject({
    name: "Read",
    canonicalName: "file_read",
    safety: "changes-nothing",
    safetyLevel: 0,
  });
  expect(json.shadowed).toEqual([]);
  expect(JSON.parse((await cli(["tools", "FileRead", "--json"])).stdout)).toEqual(json);
  expect(json.aliases).toContain("FileRead");
});

test("a tool asked for by its canonical name is shown with its canonical parameters", async () => {
  const cli = await createCli();
  const { stdout } = await cli(["tools", "file_read"]);
  expect(stdout).toMatch(/^file_read\n/);
  expect(stdout).toMatch(/ path +string +required/);
  expect(stdout).toMatch(/offset +integer \(at least 1\) +default 1/);
  expect(stdout).toMatch(/offered as +Read\n/);
  expect(stdout).not.toContain("file_path");
  const json = JSON.parse((await cli(["tools", "file_read", "--json"])).stdout);
  expect(json).toMatchObject({ name: "file_read", canonicalName: "file_read", offeredName: "Read" });
});

test("a tool that took another's name tells whose", async () => {
  const cli = await createCli({
    "plugin.mjs": `import { defineTool } from ${JSON.stringify(packageAddress)};
      const tool = defineTool({ name: "file_list", description: "Mine", params: {}, run: () => "mine" });
      export default { name: "mine", register: (api) => api.registerTool(tool, { override: true }) };`,
    "config.json": '{"plugins":["./plugin.mjs"]}',
  });
  const { stdout, stderr } = await cli(["tools", "file_list", "--config", "config.json"]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/provided by +plugin mine \(plugin\)/);
  expect(stdout).toMatch(/replaces +built-in\n/);
});

test("an unknown tool is refused with the nearest", async () => {
  const cli = await createCli();
  const { exitCode, stderr } = await cli(["tools", "file_lits"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^toolwright: there is no tool named "file_lits"; did you mean file_list\b/);
  expect((await cli(["tools", "file_red"])).stderr).toMatch(/did you mean file_read\b/);
  expect((await cli(["call", "file_red"])).stderr).toMatch(/Did you mean file_read\b/);
});

test("a wrong flag is refused with the nearest", async () => {
  const cli = await createCli();
  const { exitCode, stderr } = await cli(["tools", "--formt", "mcp"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/unknown flag --formt; did you mean --format\?/);
});

test("--format prints the catalogue as a vendor's API takes it, in any dialect", async () => {
  const cli = await createCli();
  const read = async (format: string, dialect = "flyto") =>
    JSON.parse((await cli(["tools", "--format", format, "--dialect", dialect])).stdout);
  expect((await read("openai"))[0]).toMatchObject({ type: "function", function: { name: "Read" } });
  expect((await read("anthropic", "codex"))[0]).toMatchObject({
    name: "read_file",
    input_schema: { type: "object" },
  });
  expect((await read("gemini"))[0].functionDeclarations[0]).toMatchObject({ name: "Read" });
  expect((await read("ai-sdk")).Read).toMatchObject({ inputSchema: { jsonSchema: { type: "object" } } });

  const unknown = await cli(["tools", "--format", "openia"]);
  expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unknown.stderr).toContain("did you mean openai");
  expect((await cli(["tools", "Read", "--format", "openai"])).exitCode).toBe(2);
});
