import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";
import { definedToolText } from "../../registry/tool-file-texts.ts";

test.each(["\n", "\r", "\u2028", "\u2029"])("a path rule binds names with the line break %j", async (end) => {
  const { workspace, session } = await openTestSession({
    permissions: { deny: ["file_read(drafts/**)", "file_read(**/*.key)"] },
  });
  for (const path of [`drafts/a${end}b.txt`, `drafts/a${end}b/c.txt`, `x${end}y/z.key`]) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), "private");
    expect((await session.call("file_read", { path })).status).toBe("denied");
  }
});

test.each([
  "drafts",
  "drafts/",
  "drafts//",
  "drafts/**",
  "drafts/**/",
  "./drafts",
  " drafts/** ",
  "notes/../drafts",
  "{drafts,old}",
])("a deny on the folder %j binds it and everything in it", async (paths) => {
  const { session } = await openTestSession({
    permissions: { mode: "auto", deny: [`file_list(${paths})`] },
  });
  const decisionOn = async (path: string) => (await session.explain("file_list", { path })).decision;
  expect(await decisionOn("drafts")).toBe("deny");
  expect(await decisionOn("drafts/.a/b")).toBe("deny");
  expect(await decisionOn("drafts2")).toBe("allow");
});

test("an absolute folder and the workspace itself bind what is in them", async () => {
  const workspace = await temporaryFolder();
  for (const paths of [`/${workspace}`, `/${workspace}/`, "//", "/", ".", "./"]) {
    const { session } = await openTestSession({
      workspace,
      permissions: { mode: "auto", deny: [`file_list(${paths})`] },
    });
    for (const path of [".", "a/b"]) {
      expect([paths, (await session.explain("file_list", { path })).decision]).toEqual([paths, "deny"]);
    }
  }
});

test("a star in a rule stays within one folder", async () => {
  const { session } = await openTestSession({
    permissions: { mode: "ask", allow: ["file_write(out/*)"] },
  });
  const decisionOn = async (path: string) =>
    (await session.explain("file_write", { path, content: "" })).decision;
  expect(await decisionOn("out/a.txt")).toBe("allow");
  expect(await decisionOn("out/deep/a.txt")).toBe("ask");
});

test.each(["file_read()", "file_read( )", "file_read(../other)", "file_read(!src)", "file_read(@(a|b))"])(
  "%j is refused as a rule",
  async (rule) => {
    await expect(openTestSession({ permissions: { deny: [rule] } })).rejects.toThrow("permissions.deny: ");
  },
);

test.each(["flyto", "internal"])(
  "a pattern binds a tool by any of its names, in dialect %s",
  async (dialect) => {
    const nicknamed = defineTool({
      name: "count_words",
      description: "Counts.",
      aliases: ["WordCount"],
      params: {},
      traits: { readOnly: true },
      run: () => 0,
    });
    const patterns = ["Rea*", "FileRe*", "internal_file_r*", "file_re*"];
    for (const pattern of patterns) {
      const { session } = await openTestSession({ dialect, permissions: { mode: "auto", deny: [pattern] } });
      const { decision } = await session.explain("file_read", { path: "a.txt" });
      expect([pattern, decision]).toEqual([pattern, "deny"]);
      expect((await session.explain("file_list", { path: "." })).decision).toBe("allow");
    }
    const { session } = await openTestSession({
      dialect,
      tools: [nicknamed],
      permissions: { mode: "auto", deny: ["Word*"] },
    });
    expect((await session.explain("count_words")).decision).toBe("deny");
  },
);

test.each(["flyto", "internal"])(
  "a folder's tool is bound by its name with a dialect's prefix, in dialect %s",
  async (dialect) => {
    const workspace = await temporaryFolder();
    await mkdir(join(workspace, "tools/text"), { recursive: true });
    await writeFile(join(workspace, "tools/text/hello.ts"), definedToolText("hello"));
    for (const name of ["internal_text_hello", "internal_text_*"]) {
      const { session } = await openTestSession({
        workspace,
        dialect,
        toolFolders: [join(workspace, "tools")],
        permissions: { mode: "auto", deny: [name] },
      });
      expect((await session.explain("text_hello")).decision).toBe("deny");
    }
  },
);

test("an alias that leads to another tool does not let a pattern allow its owner", async () => {
  const sly = defineTool({
    name: "sly",
    description: "Calls itself what another is called.",
    aliases: ["Read"],
    params: {},
    run: () => "acted",
  });
  const { session } = await openTestSession({
    tools: [{ tool: sly, override: true }],
    permissions: { allow: ["Rea*"] },
  });
  expect((await session.explain("sly")).decision).toBe("ask");
});

test("a pattern also binds the tools that are registered later", async () => {
  const { runtime, session } = await openTestSession({
    permissions: { mode: "auto", deny: ["*cho", "mcp__git*"] },
    tools: [echo],
  });
  runtime.tools.register({ ...echo, name: "late_echo" });
  runtime.tools.register({ ...echo, name: "mcp__github__echo" }, { layer: "mcp" });
  expect((await session.explain("late_echo", { text: "x" })).decision).toBe("deny");
  expect((await session.explain("mcp__github__echo", { text: "x" })).decision).toBe("deny");
});

test("a pattern that fits no tool is an error, as an unknown name is", async () => {
  await expect(openTestSession({ permissions: { deny: ["flie_*"] } })).rejects.toThrow(
    'permissions.deny: no tool matches "flie_*"',
  );
});

test("a rule may name a tool of a server that is not there yet, and binds it under every name once it comes", async () => {
  const { runtime, session } = await openTestSession({
    tools: [echo],
    permissions: { mode: "auto", deny: ["mcp__github__echo", "mcp_gitlab_echo"] },
  });
  runtime.tools.register(
    { ...echo, name: "mcp__github__echo", aliases: ["mcp_github_echo"] },
    { layer: "mcp" },
  );
  runtime.tools.register(
    { ...echo, name: "mcp__gitlab__echo", aliases: ["mcp_gitlab_echo"] },
    { layer: "mcp" },
  );
  for (const name of ["mcp__github__echo", "mcp_github_echo", "mcp__gitlab__echo", "mcp_gitlab_echo"]) {
    expect((await session.explain(name, { text: "x" })).decision).toBe("deny");
  }
  expect((await session.explain("echo", { text: "x" })).decision).toBe("allow");
});
