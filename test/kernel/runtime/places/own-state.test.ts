import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { defineTool, openRuntime } from "../../../../src/index.ts";
import { stateFolderOf } from "../../../../src/kernel/runtime/places/state-folder.ts";
import { testInside } from "../../../machine/sandbox/inside.ts";
import { openTestSession, temporaryFolder, testPolicyPlaces } from "../../../support/open-test-session.ts";

/** A home folder that holds the state of all workspaces, with files of another one that nobody else may touch. */
async function homeWithState() {
  const home = await temporaryFolder();
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_STATE_HOME", join(home, "state"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const files = [
    join(home, "state", "toolwright", "other-0123", "mcp-clients"),
    join(home, "state", "toolwright", "other-0123.worktrees", "agent_1", "work.txt"),
    join(home, ".local", "state", "toolwright", "older-4567", "store.sqlite"),
  ];
  for (const file of files) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "of another workspace");
  }
  return { home, files };
}

const stores = ["memory:", "in the state folder", "in the workspace"] as const;

test.each(stores)(
  "no tool reaches the state of any workspace from a workspace above it, store %s",
  async (kind) => {
    const { home, files } = await homeWithState();
    const store =
      kind === "memory:" ? kind : kind === "in the workspace" ? `sqlite:${home}/own.sqlite` : undefined;
    const runtime = await openRuntime({
      workspace: home,
      ...(store !== undefined && { store }),
      permissions: { mode: "auto" },
      sandbox: "off",
    });
    onTestFinished(() => runtime.close());
    const session = await runtime.openSession();
    const own =
      kind === "memory:" ? [] : [store?.slice("sqlite:".length) ?? `${stateFolderOf(home)}/store.sqlite`];
    for (const file of [...files, ...own]) {
      const above = dirname(file);
      const attempts = [
        await session.call("Read", { file_path: file }),
        await session.call("Write", { file_path: file, content: "forged" }),
        await session.call("Write", { file_path: `${file}-wal`, content: "forged" }),
        await session.call("file_delete", { path: file }),
        await session.call("file_move", { source: file, destination: "taken" }),
        await session.call("file_copy", { source: file, destination: "taken" }),
        await session.call("Bash", { command: `cat ${file}` }),
        await session.call("Bash", { command: `echo forged > ${file}` }),
        ...(above === home ? [] : [await session.call("file_delete", { path: above })]),
        ...(above === home ? [] : [await session.call("Bash", { command: `mv ${above} taken` })]),
      ];
      expect(attempts.filter(({ status }) => status !== "denied").map(({ text }) => text)).toEqual([]);
    }
    const found = await session.call("Grep", { pattern: "of another", output_mode: "content" });
    expect(found.text).not.toContain("workspace");
    expect((await session.call("Glob", { pattern: "**/*" })).text).not.toMatch(/other-0123|older-4567/);
    for (const file of files) expect(await readFile(file, "utf8")).toBe("of another workspace");
  },
);

test.each(["readonly", "edit"] as const)(
  "in mode %s, no command shows or copies a folder that the state is in without asking",
  async (mode) => {
    const { home } = await homeWithState();
    await mkdir(join(home, "notes"));
    await writeFile(join(home, "notes", "a.txt"), "a note");
    const options = { workspace: home, sandbox: "off", permissions: { mode } } as const;
    const { session } = await openTestSession(options, {}, testPolicyPlaces(join(home, "state")));
    const commands = [
      ...[
        "grep -r another .",
        "grep -r another state",
        "cd state && grep -r another .",
        "diff -r state notes",
      ],
      ...["find state -type f -exec cat {} +", "cp -r state all", "cp -rT state all", "cp -a ./.local all"],
    ];
    for (const command of commands)
      expect([command, (await session.call("Bash", { command })).status]).toEqual([command, "denied"]);
    const plain = ["grep -r note notes", ...(mode === "edit" ? ["cp -r notes copied"] : [])];
    for (const command of plain)
      expect([command, (await session.call("Bash", { command })).status]).toEqual([command, "done"]);
  },
);

testInside("a command in a real sandbox sees nothing of the state, wherever the store is", async () => {
  const { home, files } = await homeWithState();
  const options = { workspace: home, sandbox: "required", permissions: { mode: "auto" } } as const;
  const { session } = await openTestSession(options, {}, testPolicyPlaces(home));
  // The names are put together at run time, so that only the sandbox can stop it.
  const command = `s=$(printf %s%s tool wright); for f in state/$s .local/state/$s; do (cat $f/*/*; find $f -type f; echo x > $f/new; mv $f gone) 2>&1; done; touch beside`;
  const { status, text } = await session.call("Bash", { command });
  expect(status, text).toBe("done");
  expect(text).not.toMatch(/of another|mcp-clients|work\.txt/);
  for (const file of files) expect(await readFile(file, "utf8")).toBe("of another workspace");
  expect(await readFile(join(home, "beside"), "utf8")).toBe("");
});

test("the state of a run in memory is out of reach of a session in the folder for temporary files", async () => {
  const { session: one } = await openTestSession({ tools: [long], sandbox: "off" });
  const { storedPath = "" } = await one.call("long");
  const { session: other } = await openTestSession({ workspace: tmpdir(), sandbox: "off" });
  expect(await other.call("Read", { file_path: storedPath })).toMatchObject({ status: "denied" });
  expect((await one.call("Read", { file_path: storedPath, limit: 1 })).status).toBe("done");
});

const long = defineTool({
  name: "long",
  description: "Says much.",
  params: {},
  traits: { readOnly: true },
  run: () => "line of the first\n".repeat(20_000),
});

testInside("a session reads the outputs that were stored for it, and no other's", async () => {
  const { runtime, session: one } = await openTestSession({ tools: [long], permissions: { mode: "auto" } });
  const other = await runtime.openSession();
  const { storedPath = "" } = await one.call("long");
  await other.call("long");
  const folder = dirname(storedPath);
  const ways = [
    ["Read", { file_path: storedPath, limit: 1 }],
    ["Bash", { command: `head -1 ${storedPath}` }],
    ["Bash", { command: `f=${folder}; cat $f/* | head -1` }],
    ["Grep", { pattern: "line", path: folder, output_mode: "content", head_limit: 1 }],
    ["Glob", { pattern: "*.txt", path: folder }],
    ["file_list", { path: folder }],
    ["Glob", { pattern: "**/*.txt", path: dirname(folder) }],
  ] as const;
  const shown = /line of the first|(?<!\S)\S*output_\w+\.txt(?! (?:belongs|leads))/;
  for (const [index, [tool, input]] of ways.entries()) {
    expect((await other.call(tool, input)).text, `other: ${JSON.stringify(input)}`).not.toMatch(shown);
    if (index < ways.length - 1 && index !== 2)
      expect((await one.call(tool, input)).text, `own: ${JSON.stringify(input)}`).toMatch(shown);
  }
});

test("a folder that others could open is made private before it is used", async () => {
  const { home } = await homeWithState();
  const workspace = await temporaryFolder();
  const folders = [join(home, "state", "toolwright"), stateFolderOf(workspace)];
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (const folder of folders) await chmod(folder, 0o777);
  const runtime = await openRuntime({ workspace });
  onTestFinished(() => runtime.close());
  for (const folder of folders) expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test.each(["", "state", "./state"])(
  "state is never kept in the current folder, with HOME and XDG_STATE_HOME %j",
  (value) => {
    vi.stubEnv("HOME", value);
    vi.stubEnv("XDG_STATE_HOME", value);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(stateFolderOf("/a")).toMatch(/^\/.+\/toolwright\/a-/);
  },
);

test("Toolwright's own folders cannot be a workspace, but a worktree that was left there can", async () => {
  const { home } = await homeWithState();
  const state = join(home, "state", "toolwright");
  await expect(openRuntime({ workspace: join(state, "other-0123") })).rejects.toThrow("keeps its state");
  await expect(openRuntime({ workspace: { root: home, extraRoots: [state] } })).rejects.toThrow(
    "keeps its state",
  );
  const worktree = join(state, "other-0123.worktrees", "agent_1");
  const { session } = await openTestSession({ workspace: worktree, permissions: { mode: "auto" } });
  const file = join(worktree, "new.txt");
  expect((await session.call("Write", { file_path: file, content: "x" })).text).toContain("new.txt");
  expect(await readFile(file, "utf8")).toBe("x");
  const beside = join(state, "other-0123", "mcp-clients");
  expect(await session.call("Read", { file_path: beside })).toMatchObject({ status: "denied" });
});
