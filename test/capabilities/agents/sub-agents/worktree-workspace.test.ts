import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";
import { git, makeRepository, write } from "../worktrees/make-repository.ts";

/** A session on a repository, and one on a worktree of it that git itself made. */
async function openBoth({
  mode = "ask",
  sandbox = "off",
}: {
  mode?: "ask" | "edit" | "auto";
  sandbox?: "off" | "auto";
} = {}) {
  const { top, around } = await makeRepository({
    ".gitignore": "*.log\n",
    "a.txt": "word\n",
    "sub/b.txt": "word\n",
  });
  const folder = join(around, "tree");
  await git(top, "worktree", "add", "--quiet", folder);
  const options = { sandbox, permissions: { mode } };
  const inRepository = await openTestSession({ ...options, workspace: top });
  const inWorktree = await openTestSession({ ...options, workspace: folder });
  return { top, folder, repository: inRepository.session, worktree: inWorktree.session };
}

test("commands of git are judged in a worktree as in its repository", async () => {
  const { repository, worktree } = await openBoth();
  for (const command of [
    "git status",
    "git diff",
    "git log -3",
    "cd sub && git status",
    "git commit -m x",
    "git fetch",
  ]) {
    const [there, here] = await Promise.all(
      [repository, worktree].map(async (session) => {
        const { decision, permissionClass } = await session.explain("shell_run", { command });
        return { decision, permissionClass };
      }),
    );
    expect([command, here]).toEqual([command, there]);
  }
  expect(await worktree.explain("shell_run", { command: "git status" })).toMatchObject({ decision: "allow" });
});

test.each(["off", "auto"] as const)("git status and pwd run in a worktree, sandbox %s", async (sandbox) => {
  const { worktree, folder } = await openBoth({ sandbox });
  const result = await worktree.call("shell_run", { command: "pwd; git status --short --branch" });
  expect(result).toMatchObject({ status: "done", data: { stdout: `${folder}\n## tree\n` } });
});

test("searches leave out in a worktree what its .gitignore and the repository's own list name", async () => {
  const { worktree, folder, top } = await openBoth();
  await appendFile(join(top, ".git", "info", "exclude"), "private.txt\n");
  await write(folder, { "x.log": "word\n", "private.txt": "word\n", "sub/private.txt": "word\n" });
  const found = await worktree.call("search_glob", { pattern: "**/*" });
  expect(found.text).toContain("a.txt");
  expect(found.text).not.toMatch(/private|x\.log|(^|\s)\.git(\s|$)/m);
  const lines = await worktree.call("search_grep", { pattern: "word" });
  expect(lines.text).toContain("sub/b.txt");
  expect(lines.text).not.toMatch(/private|x\.log/);
  const below = await worktree.call("search_glob", { pattern: "*", path: "sub" });
  expect([below.text.includes("b.txt"), below.text.includes("private")]).toEqual([true, false]);
  const ignored = await worktree.call("file_gitignore", { action: "check", path: "sub/y.log" });
  expect(ignored).toMatchObject({ status: "done", data: { ignored: true } });
});

test("the file by which git finds the repository is not written without asking, in any mode", async () => {
  for (const mode of ["ask", "edit", "auto"] as const) {
    const { worktree, folder } = await openBoth({ mode });
    const before = await readFile(join(folder, ".git"), "utf8");
    for (const [tool, input] of [
      ["file_write", { path: ".git", content: "gitdir: /elsewhere\n" }],
      ["file_edit", { path: ".git", old_string: "gitdir", new_string: "x" }],
      ["file_delete", { path: ".git" }],
      ["shell_run", { command: "echo x > .git" }],
      ["shell_run", { command: "rm .git" }],
    ] as const) {
      const result = await worktree.call(tool, input);
      expect([tool, result.status, result.error?.code]).toEqual([tool, "denied", "approval-needed"]);
    }
    expect(await readFile(join(folder, ".git"), "utf8")).toBe(before);
  }
});
