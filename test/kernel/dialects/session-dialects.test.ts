import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool, openRuntime, type Session } from "../../../src/index.ts";
import { dialects } from "../../../src/kernel/dialects/dialects.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { familyModel } from "../../capabilities/agents/sub-agents/family-model.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";

function namesOf(session: Session): string[] {
  return session.tools().map(({ name }) => name);
}

test("sessions of every dialect run side by side on one runtime, each with its own names, shapes and words", async () => {
  const { runtime, workspace } = await openTestSession({ permissions: { deny: ["Bash"] } });
  await writeFile(join(workspace, "a.txt"), "hello\n");
  const sessions = await Promise.all(
    dialects.map((dialect) => runtime.openSession({ id: dialect.name, dialect: dialect.name })),
  );
  for (const [index, { name, tools }] of dialects.entries()) {
    const session = sessions[index]!;
    expect(session.dialect).toBe(name);
    expect(namesOf(session)).toEqual(expect.arrayContaining(Object.values(tools).map((row) => row.name)));
    const shell = tools.shell_run?.name ?? "shell_run";
    expect((await session.call(shell, {})).status).toBe("failed");
    expect((await session.explain("shell_run", { command: "true" })).decision).toBe("deny");
    expect(await session.searchTools(`select:${shell}`)).toEqual([]);
    expect((await session.searchTools("read a file", { limit: 3 })).map((found) => found.name)).toContain(
      tools.file_read?.name ?? "file_read",
    );
  }
  const [flyto, internal, kode, pulse] = sessions as [Session, Session, Session, Session];
  expect((await kode.call("fs_read", { path: "a.txt" })).data).toMatchObject({
    content: "hello",
    offset: 1,
  });
  expect((await kode.call("fs_read", { path: "none" })).data).toMatchObject({ ok: false, retryable: false });
  expect((await pulse.call("read", { filePath: "a.txt", offset: 0 })).text).toContain("hello");
  expect((await flyto.call("Read", { file_path: "none" })).error?.message).toContain("absolute path");
  expect((await internal.call("internal_file_read", { path: "none" })).error?.message).toMatch(/^操作失败: /);
  expect((await flyto.call("fs_read", { path: "a.txt" })).error?.code).toBe("unknown-tool");
  const recorded = (await runtime.sessions()).map(({ id, dialect }) => [id, dialect]);
  expect(recorded).toEqual(expect.arrayContaining(dialects.map(({ name }) => [name, name])));
});

test("a dialect says how many calls run at a time, in its sessions alone", async () => {
  let [running, most] = [0, 0];
  let gate = Promise.withResolvers<void>();
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    params: {},
    traits: { readOnly: true, concurrencySafe: true },
    async run() {
      running += 1;
      most = Math.max(most, running);
      await gate.promise;
      running -= 1;
    },
  });
  const { runtime } = await openTestSession({ tools: [wait] });
  const calls = Array.from({ length: 12 }, () => ({ name: "wait", input: {} }));
  for (const [dialect, limit] of [
    ["kode", 3],
    ["flyto", 10],
  ] as const) {
    const session = await runtime.openSession({ dialect });
    most = 0;
    gate = Promise.withResolvers();
    const called = session.callAll(calls);
    await until(() => running === limit);
    gate.resolve();
    expect(new Set((await called).map(({ status }) => status))).toEqual(new Set(["done"]));
    expect(most).toBe(limit);
  }
});

test("a resumed session keeps its dialect, whatever the runtime's is, unless it is opened with another", async () => {
  const folder = await temporaryFolder();
  const workspace = await temporaryFolder();
  const dialectOf = async (runtimeDialect: string, dialect?: string) => {
    const runtime = await openRuntime({
      store: `sqlite:${join(folder, "store.db")}`,
      workspace,
      dialect: runtimeDialect,
    });
    try {
      const session = await runtime.openSession({ id: "one", ...(dialect && { dialect }) });
      const { dialect: recorded } = (await runtime.sessions())[0]!;
      expect(recorded).toBe(session.dialect);
      return `${session.dialect} ${namesOf(session)[0]}`;
    } finally {
      await runtime.close();
    }
  };
  expect(await dialectOf("flyto", "kode")).toBe("kode fs_read");
  expect(await dialectOf("internal")).toBe("kode fs_read");
  expect(await dialectOf("kode", "pulse")).toBe("pulse read");
  expect(await dialectOf("flyto")).toBe("pulse read");
});

test("an unknown dialect is refused, and nothing is recorded", async () => {
  const { runtime } = await openTestSession();
  await expect(runtime.openSession({ id: "new", dialect: "klingon" })).rejects.toThrow(
    'dialect must be one of flyto, internal, kode, pulse, eko, claude-code, codex, gemini-cli, canonical; received "klingon"',
  );
  expect((await runtime.sessions()).map(({ id }) => id)).not.toContain("new");
  await runtime.openSession({ id: "new" });
});

test("a dialect whose name another tool has taken is refused, unless the tool overrides on purpose", async () => {
  const named = (name: string) =>
    defineTool({ name, description: "Mine.", params: {}, traits: { readOnly: true }, run: () => "mine" });
  const { runtime } = await openTestSession({
    tools: [named("fs_read"), { tool: named("read"), override: true }],
  });
  await expect(runtime.openSession({ dialect: "kode" })).rejects.toThrow(
    "the dialect kode cannot be used here: the tool fs_read from options.tools has its name for file_read; rename the tool, or set override: true if this is intended",
  );
  const pulse = await runtime.openSession({ dialect: "pulse" });
  expect((await pulse.call("read")).text).toBe("mine");
  expect(namesOf(pulse)).toContain("file_read");
  expect(() => runtime.tools.register(named("bash"))).toThrow(
    "bash is the name of the built-in tool shell_run",
  );
  runtime.tools.register(named("fs_glob"));
});

test("output limits by the name of any dialect hold in every session", async () => {
  const { runtime, workspace } = await openTestSession({ output: { tools: { fs_read: 2000 } } });
  await writeFile(join(workspace, "long.txt"), `${"word ".repeat(10)}\n`.repeat(1000));
  for (const [dialect, name, input] of [
    ["flyto", "Read", { file_path: join(workspace, "long.txt") }],
    ["pulse", "read", { filePath: "long.txt" }],
  ] as const) {
    const session = await runtime.openSession({ dialect });
    expect((await session.call(name, input)).text.length).toBeLessThanOrEqual(2000);
  }
});

test("a sub-agent speaks its parent's dialect", async () => {
  const { model, requests } = familyModel({
    CHILD: [calling("fs_glob", { pattern: "*" }), { text: "looked" }],
    PARENT: [calling("task_run", { prompt: "CHILD, look", description: "look" }), { text: "done" }],
  });
  const { runtime } = await openTestSession();
  await runtime.agent({ model, session: { dialect: "kode" } }).run("PARENT, go");
  const offered = requests.CHILD![0]!.tools!.map(({ name }) => name);
  expect(offered).toContain("fs_read");
  expect(offered).not.toContain("Read");
  const agents = (await runtime.sessions()).filter(({ parent }) => parent !== undefined);
  expect(agents.map(({ dialect }) => dialect)).toEqual(["kode"]);
  const glob = (await runtime.receipts()).find(({ tool }) => tool === "search_glob");
  expect(glob?.status).toBe("done");
});

test.each([
  ["anthropic/claude-sonnet-4-5", "claude-code"],
  ["us.anthropic.claude-opus-4-1", "claude-code"],
  ["openai/gpt-5", "codex"],
  ["gpt-5-codex", "codex"],
  ["openai/o3-mini", "codex"],
  ["o1", "codex"],
  ["google/gemini-2.5-pro", "gemini-cli"],
  ["ollama/qwen3-coder", "canonical"],
  ["marco-o1", "canonical"],
  [undefined, "canonical"],
])("the dialect auto becomes, for the model %s, %s", async (model, dialect) => {
  const { session, runtime } = await openTestSession({ dialect: "auto" }, model ? { model } : {});
  expect(session.dialect).toBe(dialect);
  expect((await runtime.sessions())[0]?.dialect).toBe(dialect);
});

test("an agent on auto speaks what its model knows, and another dialect if it is told so", async () => {
  const { runtime } = await openTestSession();
  const model = familyModel({ GO: [] }).model;
  const named = { ...model, modelId: "gpt-5" };
  const dialectOf = async (session: object) =>
    (await runtime.agent({ model: named, session }).session()).dialect;
  expect(await dialectOf({ dialect: "auto" })).toBe("codex");
  expect(await dialectOf({ dialect: "kode" })).toBe("kode");
  expect(await dialectOf({})).toBe("flyto");
  expect(await dialectOf({ dialect: "auto", model: "claude-haiku" })).toBe("claude-code");
});
