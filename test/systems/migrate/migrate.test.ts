import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf, migrateFolder } from "./migrate-folder.ts";

const kode = "@shareai-lab/kode-sdk";

test("every way to name a module is an import line: static, type, re-export, dynamic, require, a mock", async () => {
  const { migration } = await migrateFolder("kode", {
    "a.ts": `import { Agent as A, type ToolContext } from "${kode}";
import type { Hooks } from '${kode}';
export { defineTool } from "${kode}";
export * from "${kode}";
const later = await import(\`${kode}\`);
const { ToolRegistry: Registry } = await import("${kode}");
import old = require("${kode}");
let typed: import("${kode}").FilePool;
declare module "${kode}" {}
vi.mock("${kode}");
`,
    "b.cjs": `const { defineTools } = require("${kode}");
function inside() { return require("${kode}").builtin; }
`,
  });
  expect(migration.imports.map(({ file, line, kind, names }) => [file, line, kind, ...names])).toEqual([
    ["a.ts", 1, "import", "Agent", "ToolContext"],
    ["a.ts", 2, "import", "Hooks"],
    ["a.ts", 3, "reexport", "defineTool"],
    ["a.ts", 4, "reexport", "*"],
    ["a.ts", 5, "dynamic", "*"],
    ["a.ts", 6, "dynamic", "ToolRegistry"],
    ["a.ts", 7, "require", "*"],
    ["a.ts", 8, "type", "FilePool"],
    ["a.ts", 9, "type"],
    ["a.ts", 10, "mock"],
    ["b.cjs", 1, "require", "defineTools"],
    ["b.cjs", 2, "require", "builtin"],
  ]);
  expect(migration.imports[1]).toMatchObject({ from: kode, to: "toolwright/kode", isTypeOnly: true });
  expect(migration.findings).toEqual([]);
});

test("writing changes the names of the modules alone, keeps quotes, line ends and marks, and can be undone", async () => {
  const text = `\uFEFFimport { Agent } from '${kode}';\r\nimport {FsRead} from "${kode}"; // from "${kode}"\r\n`;
  const { write, folder, session } = await migrateFolder("kode", { "src/a.ts": text });
  const result = await write();
  expect(result).toMatchObject({ status: "done" });
  const read = () => readFile(join(folder, "src/a.ts"), "utf8");
  expect(await read()).toBe(
    `\uFEFFimport { Agent } from 'toolwright/kode';\r\nimport {FsRead} from "toolwright/kode"; // from "${kode}"\r\n`,
  );
  await session.undo(result.callId);
  expect(await read()).toBe(text);
});

test("a file that was changed after it was read is not written", async () => {
  const line = `import { Agent } from "${kode}";\n`;
  const { write, folder } = await migrateFolder("kode", { "a.ts": line, "b.ts": line });
  await writeFile(join(folder, "b.ts"), `// mine\n${line}`);
  expect(await write()).toMatchObject({ status: "failed", error: { code: "stale-file" } });
  expect(await readFile(join(folder, "a.ts"), "utf8")).toBe(line);
});

test("a name that is not there is told with what to do, also where it is read from the whole module", async () => {
  const { migration } = await migrateFolder("kode", {
    "a.ts": `import { Agent, JSONStore, definTool, FilePool } from "${kode}";
import * as sdk from "${kode}";
new sdk.AgentPool(); sdk.Agent; new FilePool(); new sdk.Agent();`,
    "b.ts": `import { x } from "${kode}/dist/core/agent"; const name = "${kode}"; import(name);`,
  });
  expect(linesOf(migration.findings)).toEqual([
    "a.ts:1 name JSONStore change",
    "a.ts:1 name definTool change",
    "a.ts:3 name AgentPool change",
    "a.ts:3 name FilePool change",
    `b.ts:1 name ${kode}/dist/core/agent change`,
    `b.ts:1 name ${kode} change`,
  ]);
  const [store, typo, , pool] = migration.findings;
  expect(store?.advice).toContain('toolwright: { store: "sqlite:<path>" }');
  expect(typo?.advice).toContain("toolwright/kode has no definTool; did you mean defineTool");
  expect(pool?.advice).toContain("only a type");
});

test("KODE's tools, hooks, permissions, listeners and methods are found, each with what becomes of it", async () => {
  const { migration } = await migrateFolder("kode", {
    "tools.ts": `import { defineTool, defineTools, tool, FsRead, ToolKit, toolMethod, type ToolInstance } from "${kode}";
export const weather = defineTool({ name: "get_weather", description: "", params: { units: { type: "string", default: "c" } }, exec() {} });
export const two = defineTools([{ name: "add", exec() {} }, { name: "multiply", attributes: { readonly: true }, exec() {} }]);
export const quick = tool("quick", async () => 1);
export class Slow implements ToolInstance { name = "slow"; description = ""; async exec() {} }
class Kit extends ToolKit { @toolMethod({ description: "" }) async query() {} }
export const all = [new FsRead()];
`,
    "agent.ts": `import { Agent } from "${kode}";
const agent = await Agent.create({
  overrides: {
    permission: { mode: "paranoid" },
    hooks: { preToolUse(call) {}, messagesChanged: () => {} },
  },
});
agent.on("error", () => {}); agent.on("scheduler_triggered", () => {}); agent.on("whatever", () => {});
agent.subscribe(["monitor"], { kinds: [] });
await agent.fork();
`,
    // Nothing of the system's is imported here, but only KODE has such a hook.
    "hooks.js": `module.exports = { postToolUse() {} };`,
    "other.ts": `export const permission = { mode: "paranoid" }; emitter.on("error", () => {}); process.fork();`,
  });
  expect(linesOf(migration.findings)).toEqual([
    "agent.ts:4 permission paranoid change",
    "agent.ts:5 hook preToolUse better",
    "agent.ts:5 hook messagesChanged runs",
    "agent.ts:8 event error runs",
    "agent.ts:8 event scheduler_triggered change",
    "agent.ts:9 event subscribe better",
    "agent.ts:10 method fork change",
    "hooks.js:1 hook postToolUse better",
    "tools.ts:2 tool get_weather better",
    "tools.ts:3 tool add runs",
    "tools.ts:3 tool multiply better",
    "tools.ts:4 tool quick better",
    "tools.ts:5 tool slow better",
    "tools.ts:6 tool query better",
    "tools.ts:7 tool FsRead runs",
  ]);
});

test("Eko's tools, agents, callbacks and variables are found, and its own tools stay in its package", async () => {
  const { migration } = await migrateFolder("eko", {
    "a.ts": `import Eko, { Agent, AgentContext, SimpleSseMcpClient } from "@eko-ai/eko";
import { Tool, ToolResult } from "@eko-ai/eko/types";
import { HumanInteractTool } from "@eko-ai/eko"; import { BrowserAgent } from "@eko-ai/eko-web";
class SendEmail implements Tool { constructor() { this.name = "send_email"; } execute() {} }
const find = { name: "find", parameters: {}, execute: async (args, agentContext) => {
  agentContext.variables.set("seen", new Map());
  agentContext.context.variables.set("id", "x");
} };
const eko = new Eko({ agents: [new Agent({ name: "Mailer", tools: [find] })], planLlms: [],
  callback: { onMessage: async (message) => { if (message.type === "workflow") stop(); } } });
await eko.generate("x");
`,
  });
  expect(migration.imports.map(({ from, line }) => [from, line])).toEqual([
    ["@eko-ai/eko", 1],
    ["@eko-ai/eko/types", 2],
  ]);
  expect(linesOf(migration.findings)).toEqual([
    "a.ts:1 name SimpleSseMcpClient change",
    "a.ts:3 name HumanInteractTool runs",
    "a.ts:3 name @eko-ai/eko-web change",
    "a.ts:4 tool send_email better",
    "a.ts:5 tool find better",
    "a.ts:6 option variable seen change",
    "a.ts:7 option variable id better",
    "a.ts:9 option planLlms change",
    "a.ts:9 agent Mailer runs",
    "a.ts:10 event onMessage runs",
    "a.ts:10 event workflow change",
    "a.ts:11 method generate change",
  ]);
});

test("Pulse's tools, plugins, hooks and options are found", async () => {
  const { migration } = await migrateFolder("pulse", {
    "a.ts": `import { Engine, type EnginePlugin, type Tool, streamTextAI } from "pulse-coder-engine";
const shout: Tool = { name: "shout", description: "", inputSchema: z.object({}), execute: async () => "" };
const plugin: EnginePlugin = { name: "loud", version: "1", async initialize(context) {
  context.registerHook("beforeLLMCall", () => {}); context.registerHook("onCompacted", () => {});
} };
const engine = new Engine({ tools: { shout }, enginePlugins: { plugins: [plugin], scan: true }, llmProvider: openai,
  hooks: { onBeforeToolCall(name) {} } });
await engine.run(context);
await engine.run("Go.");
`,
  });
  expect(linesOf(migration.findings)).toEqual([
    "a.ts:1 name streamTextAI change",
    "a.ts:2 tool shout better",
    "a.ts:3 plugin loud runs",
    "a.ts:4 hook beforeLLMCall runs",
    "a.ts:4 hook onCompacted change",
    "a.ts:6 option llmProvider change",
    "a.ts:6 option scan change",
    "a.ts:7 hook onBeforeToolCall better",
    "a.ts:8 method run change",
  ]);
});

const handler = (more = "", body = "") => `module.exports = {
  name: "x", description: "Acts.", ${more}
  inputSchema: { type: "object", properties: { query: { type: "string" } } },
  handler: async (args, ctx) => { ${body} },
};`;

test("a folder of internal tools is judged as the loader would, by its files and their names", async () => {
  const files = {
    "mail/find.js": handler("", "return ctx.service.search.find(args.query, args.limit)"),
    "mail/lose.js": handler(),
    "mail/Send-All.js": handler(),
    "code/search.js": handler(),
    "system/info.js": handler("override: true,"),
    "mail/empty.js": "module.exports = {};",
    "index.js": "",
  };
  const below = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`internal-tools/${path}`, text]),
  );
  const caller = { "app/tools.js": "new InternalToolLoader(ctx); service.runTools(name, args);" };
  const { migration } = await migrateFolder("internal", { ...below, ...caller });
  expect(linesOf(migration.findings)).toEqual([
    "app/tools.js:1 method InternalToolLoader change",
    "app/tools.js:1 method runTools runs",
    "internal-tools/code/search.js:1 tool internal_code_search change",
    "internal-tools/mail/Send-All.js:1 tool internal_mail_Send-All change",
    "internal-tools/mail/empty.js:1 tool internal_mail_empty change",
    "internal-tools/mail/find.js:1 tool internal_mail_find change",
    "internal-tools/mail/find.js:4 option ctx.service.search change",
    "internal-tools/mail/lose.js:1 tool internal_mail_lose runs",
    "internal-tools/system/info.js:1 tool internal_system_info runs",
  ]);
  const advice = migration.findings.map((each) => each.advice);
  expect(advice[2]).toContain("add override: true");
  expect(advice[3]).toContain("rename Send-All to send_all");
  expect(advice[5]).toContain("declare limit in inputSchema");
});

test("Flyto's tools in Go are told by their names", async () => {
  const { migration } = await migrateFolder("flyto", {
    "my_tool.go": `package main
func (t *MyTool) Name() string { return "MyTool" }
func (t *MyTool) InputSchema() json.RawMessage { return nil }
func main() { agent.Tools().Register(&MyTool{}) }
`,
  });
  expect(linesOf(migration.findings)).toEqual([
    "my_tool.go:2 tool MyTool change",
    "my_tool.go:4 method Register change",
  ]);
});

test("dependencies and path aliases are told, and what is imported by an alias is changed too", async () => {
  const { migration, write, folder } = await migrateFolder("kode", {
    "package.json": `{\n  "dependencies": {\n    "${kode}": "^2.7.0"\n  }\n}`,
    "packages/one/package.json": `{ "devDependencies": { "toolwright": "*", "${kode}": "*" } }`,
    "packages/two/package.json": `{ "description": "${kode}" `,
    "tsconfig.json": `{\n  // ours\n  "compilerOptions": { "paths": {\n    "@kode": ["./node_modules/${kode}"], "@own/*": ["./src/*"],\n  } },\n}`,
    "a.ts": `import { Agent } from "@kode";\n`,
    "b.ts": `// ${kode}\nimport { Agent } from "@kode";\n`,
  });
  expect(linesOf(migration.findings)).toEqual([
    `package.json:3 dependency ${kode} change`,
    `packages/one/package.json:1 dependency ${kode} change`,
    "tsconfig.json:4 alias @kode change",
  ]);
  expect(migration.findings[0]?.advice).toContain("npm install toolwright, and npm uninstall");
  expect(migration.findings[1]?.advice).toMatch(/^npm uninstall/);
  expect(migration.imports.map(({ file, from }) => [file, from])).toEqual([
    ["a.ts", "@kode"],
    ["b.ts", "@kode"],
  ]);
  await write();
  expect(await readFile(join(folder, "a.ts"), "utf8")).toBe('import { Agent } from "toolwright/kode";\n');
});

test("a path alias is found in a tsconfig.json that has a key twice, as compilers find it", async () => {
  const { migration } = await migrateFolder("kode", {
    "tsconfig.json": `{ "include": ["a"], "include": ["."], "compilerOptions": { "paths": { "@kode": ["${kode}"] } } }`,
    "a.ts": `import { Agent } from "@kode";\n`,
  });
  expect(linesOf(migration.findings)).toEqual(["tsconfig.json:1 alias @kode change"]);
  expect(migration.imports.map(({ from }) => from)).toEqual(["@kode"]);
});

test("a file with a syntax error is told, and one that cannot be parsed at all is left out and named", async () => {
  const { migration } = await migrateFolder("kode", {
    "broken.ts": `import { Agent } from "${kode}";\nconst = ;\n`,
    "deep.ts": `import "${kode}"; x = ${"[".repeat(200_000)}`,
    "fine.ts": `import { Agent } from "${kode}";\n`,
  });
  expect(migration.imports.map(({ file }) => file)).toContain("fine.ts");
  expect(migration.findings).toContainEqual(
    expect.objectContaining({ kind: "file", file: "broken.ts", verdict: "change" }),
  );
  expect([...migration.leftOut, ...migration.findings.map(({ file }) => file)].join()).toContain("deep.ts");
});

test("files that git ignores, installed packages, links and secrets are not read, and a loop of links ends nothing", async () => {
  const line = `import { Agent } from "${kode}";\n`;
  const { folder } = await migrateFolder("kode", {
    ".gitignore": "out/\n",
    "out/a.ts": line,
    "node_modules/x/a.ts": line,
    "src/a.ts": line,
    "elsewhere/b.ts": "",
  });
  await mkdir(join(folder, ".git"));
  await symlink(folder, join(folder, "src", "loop"));
  await symlink("/etc", join(folder, "src", "etc"));
  const { migration } = await migrateFolder("kode", {}, { folder });
  expect(migration.imports.map(({ file }) => file)).toEqual(["src/a.ts"]);
  expect(migration.leftOut).toEqual([]);
});

test("an empty folder has nothing to change", async () => {
  const { migration } = await migrateFolder("eko", {});
  expect(migration).toMatchObject({ files: 0, imports: [], findings: [], leftOut: [] });
});

test("a migration that runs out of time tells which files were not read", async () => {
  const { migration } = await migrateFolder("kode", { "a.ts": `import "${kode}";` }, { maxMs: 0 });
  expect(migration.leftOut).toEqual(["1 file, because the time of 0 s was up"]);
});
