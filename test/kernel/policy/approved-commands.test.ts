import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { optionsFromFlags } from "../../../src/faces/cli/open/options-from-flags.ts";
import type { RuntimeOptions } from "../../../src/index.ts";
import { needs } from "../../support/needs.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

const identity = "-c user.name=t -c user.email=t@example.com";

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", [...identity.split(" "), ...args], { cwd: folder, encoding: "utf8" });
}

/** A session in mode auto, so that only what is protected asks, and whoever is asked says yes. */
async function openApproving(workspace: string, options: RuntimeOptions = {}) {
  const asked: string[] = [];
  const opened = await openTestSession({
    workspace,
    permissions: { mode: "auto" },
    onApproval: ({ verdict }) => {
      asked.push(verdict.reason);
      return { decision: "allow", by: "test" };
    },
    ...options,
  });
  const run = (command: string) => opened.session.call("shell_run", { command });
  return { ...opened, run, asked };
}

test("settings of git change once a person has agreed, and a repository is made", async () => {
  const workspace = await temporaryFolder();
  const { run, asked } = await openApproving(workspace);
  expect(await run("git init -q")).toMatchObject({ status: "done", data: { exitCode: 0 } });
  expect(asked).toEqual([expect.stringContaining(".git may run as code later")]);
  expect(await run("git config user.name Somebody")).toMatchObject({ data: { exitCode: 0 } });
  expect(await run("git remote add origin https://example.com/x.git")).toMatchObject({
    data: { exitCode: 0 },
  });
  expect(asked).toHaveLength(3);
  const config = await readFile(join(workspace, ".git/config"), "utf8");
  expect(config).toContain("Somebody");
  expect(config).toContain("https://example.com/x.git");
});

const testInside = await needs("bubblewrap");

testInside("an approval of one setting of git opens no other", async () => {
  const workspace = await temporaryFolder();
  git(workspace, "init", "--quiet");
  const { run } = await openApproving(workspace);
  await writeFile(join(workspace, "evil.sh"), "echo evil > .git/hooks/pre-commit");
  await run("git config user.name Other; sh evil.sh");
  expect(await readFile(join(workspace, ".git/config"), "utf8")).toContain("Other");
  expect(existsSync(join(workspace, ".git/hooks/pre-commit"))).toBe(false);
});

/** A workspace that is a package of a larger repository, in which something was changed since the last commit. */
async function createPackage() {
  const top = await temporaryFolder();
  git(top, "init", "--quiet");
  const workspace = join(top, "packages/a");
  await mkdir(workspace, { recursive: true });
  await mkdir(join(top, "packages/b"));
  await writeFile(join(top, "packages/b/.env"), "hush");
  await writeFile(join(workspace, "x"), "1");
  git(top, "add", "packages/a");
  git(top, "commit", "--quiet", "-m", "first");
  await writeFile(join(workspace, "x"), "2");
  git(top, "config", "user.name", "t");
  git(top, "config", "user.email", "t@example.com");
  return { top, workspace };
}

test("in a package of a larger repository, a commit works once a person has agreed", async () => {
  const { top, workspace } = await createPackage();
  const { run, asked } = await openApproving(workspace);
  expect(await run("git add x && git commit -qm second")).toMatchObject({ data: { exitCode: 0 } });
  expect(asked).toHaveLength(1);
  expect(git(top, "log", "-1", "--format=%s", "--name-only")).toBe("second\n\npackages/a/x\n");
  await writeFile(join(workspace, "x"), "3");
  expect(await run(`git ${identity} -P commit -qam 'by another'`)).toMatchObject({ data: { exitCode: 0 } });
  expect(git(top, "log", "-1", "--format=%s")).toBe("by another\n");
});

testInside(
  "a hook of the repository runs with git, and sees and changes no more than git's command needs",
  async () => {
    const { top, workspace } = await createPackage();
    const { run } = await openApproving(workspace);
    const hook = "#!/bin/sh\ncat ../b/.env; git config core.fsmonitor evil; echo x > ../b/x; echo ran";
    await writeFile(join(top, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
    const { text } = await run("git commit --allow-empty -m third");
    expect(text).toContain("ran");
    expect(text).not.toContain("hush");
    expect(existsSync(join(top, "packages/b/x"))).toBe(false);
    expect(await readFile(join(top, ".git/config"), "utf8")).not.toContain("evil");
  },
);

test("no descriptor of ours reaches a program, in any profile", async () => {
  const workspace = await temporaryFolder();
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => writeFile(join(workspace, `${index}.pem`), "x")),
  );
  git(workspace, "init", "--quiet");
  git(workspace, "add", "--force", "--all");
  const { run } = await openApproving(workspace);
  await writeFile(join(workspace, "nothing.sh"), ":");
  // Of the four that `ls` has, it opened the last itself.
  for (const command of [
    "ls /proc/self/fd",
    "touch x; (ls /proc/self/fd)",
    "sh nothing.sh; ls /proc/self/fd",
  ])
    expect((await run(command)).text.trim().split(/\s+/).slice(0, 5), command).toEqual(["0", "1", "2", "3"]);
});

test("a repository that a command has planted is told and recorded, and git does not enter it unasked", async () => {
  for (const sandbox of ["auto", "off"] as const) {
    const workspace = await temporaryFolder();
    git(workspace, "init", "--quiet");
    git(workspace, "commit", "--quiet", "--allow-empty", "-m", "first");
    const { run, asked } = await openApproving(workspace, { sandbox });
    expect(await run("git status")).toMatchObject({ status: "done" });
    const script = `git init -q evil; git -C evil ${identity} commit -q --allow-empty -m x
      git add evil 2>/dev/null; mkdir -p sub/.vscode`;
    await writeFile(join(workspace, "build.sh"), script);
    const planting = await run("sh build.sh");
    expect(asked).toEqual([]);
    expect(planting.text).toContain("It made or changed what may run as code later");
    expect(planting.receipt.planted).toEqual(
      expect.arrayContaining([join(workspace, "evil"), join(workspace, "sub/.vscode")]),
    );
    await run("git status");
    expect(asked).toEqual([expect.stringContaining("evil, a submodule that a command has made")]);
    await run("git status");
    expect(asked).toHaveLength(1);
  }
});

test("a file that is run later is not written unasked, whichever program would run it", async () => {
  const workspace = await temporaryFolder();
  git(workspace, "init", "--quiet");
  git(workspace, "config", "core.hooksPath", "ci/hooks");
  await mkdir(join(workspace, ".toolwright"));
  const listed = { mcpServers: { own: { command: "node", args: ["servers/listed.mjs"] } } };
  await writeFile(join(workspace, ".toolwright/mcp.json"), JSON.stringify(listed));
  await writeFile(join(workspace, "options.json"), JSON.stringify({ toolFolders: ["tools"] }));
  const options = await optionsFromFlags({ config: join(workspace, "options.json") });
  const { session } = await openTestSession({
    ...options,
    workspace,
    permissions: { mode: "edit" },
    mcpServers: { mine: { command: "./bin/serve", args: ["lib/mine.py", "data"], enabled: false } },
  });
  const paths = [
    ...["tools/text/evil.mjs", "options.json", "toolwright.json", "sub/toolwright.json"],
    ...["servers/listed.mjs", "bin/serve", "lib/mine.py", "ci/hooks/pre-commit"],
    ...[".skills/x/run.sh", ".claude/agents/a.md", ".toolwright/agents/a.md", "sub/.cursor/mcp.json"],
    ...[".devcontainer/devcontainer.json", ".yarnrc.yml", "sub/.cargo/config.toml", ".npmrc", ".gitmodules"],
  ];
  for (const path of paths) {
    expect(await session.call("file_write", { path, content: "x" }), path).toMatchObject({
      status: "denied",
    });
    const command = `mkdir -p $(dirname ${path}); echo x > ${path}`;
    expect(await session.call("shell_run", { command }), path).toMatchObject({ status: "denied" });
  }
  expect(await session.call("file_write", { path: "data/x", content: "x" })).toMatchObject({
    status: "done",
  });
});
