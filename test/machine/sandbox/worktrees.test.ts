import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { makeFolder, openFor, run, testInside } from "./inside.ts";

const environment = {
  PATH: "/usr/bin:/bin",
  LANG: "C.UTF-8",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

const profiles = ["read-only", "workspace-write", "network"] as const;

/** A repository, and a worktree of it elsewhere. */
async function makeWorktree({ below = "" } = {}) {
  const around = await makeFolder();
  const repository = join(around, "repo sitory");
  const folder = join(around, "tree");
  const home = join(around, "home");
  await mkdir(home);
  const git = async (cwd: string, ...args: string[]) =>
    (await promisify(execFile)("git", args, { cwd, env: { ...environment, HOME: home } })).stdout;
  await git(around, "init", "-q", repository);
  await mkdir(join(repository, "sub"));
  await writeFile(join(repository, "a"), "a\n");
  await writeFile(join(repository, "sub", "b"), "b\n");
  await writeFile(join(repository, ".env.shared"), "TOKEN=\n");
  await git(repository, "add", "-A");
  await git(repository, "commit", "-qm", "first");
  await git(repository, "worktree", "add", "-q", "-b", "child", folder);
  const root = join(folder, below);
  // At its top a worktree is recognised; below, nobody but its maker can tell.
  const readable = below === "" ? [] : [join(repository, ".git"), folder];
  const sandbox = await openFor(root, { home, readable });
  return { repository, folder, root, sandbox, git };
}

/** All files of the repository's own folder, but for when they were looked at. */
async function contentOf(gitFolder: string): Promise<string[]> {
  const entries = await readdir(gitFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => `${file} ${(await readFile(file)).toString("base64")}`),
  );
}

testInside("git tells in a worktree what changed, in every profile", async () => {
  const { root, sandbox } = await makeWorktree();
  await writeFile(join(root, "a"), "changed\n");
  for (const profile of profiles) {
    const { stdout, stderr, exitCode } = await run(
      sandbox,
      "pwd; git status --short --branch && git diff && git log --oneline && git rev-parse --show-toplevel",
      { profile, directory: root, environment },
    );
    expect({ profile, stderr, exitCode }).toEqual({ profile, stderr: "", exitCode: 0 });
    expect(stdout).toContain(`${root}\n## child\n M a\n`);
    expect(stdout).toContain("+changed");
    expect(stdout).toContain("first");
    expect(stdout.endsWith(`${root}\n`)).toBe(true);
  }
});

testInside("no command in a worktree writes the parent's repository, or leads git to another", async () => {
  const { root, repository, sandbox, git } = await makeWorktree();
  const before = await contentOf(join(repository, ".git"));
  const link = await readFile(join(root, ".git"), "utf8");
  for (const profile of profiles) {
    const { stderr } = await run(
      sandbox,
      `echo b > a
       git add -A; git commit -qam mine; git branch mine; git tag mine; git stash; git config core.fsmonitor ./evil
       g=$(git rev-parse --git-common-dir); echo evil >> "$g/config"; echo evil > "$g/hooks/post-checkout"; rm -rf "$g"; mv "$g" "$g.x"; touch "$g/x"
       chmod 777 "$g"; ln "$g/config" mine; echo evil > "$(git rev-parse --git-dir)/commondir"
       echo "gitdir: $PWD/evil" > .git; rm -f .git; mv .git x; mkdir -p evil; mount --bind evil "$g"; true`,
      { profile, directory: root, environment },
    );
    expect(stderr).toContain("Read-only file system");
  }
  expect(await contentOf(join(repository, ".git"))).toEqual(before);
  expect(await readFile(join(root, ".git"), "utf8")).toBe(link);
  expect(await git(root, "status", "--short")).toBe(" M a\n");
  expect(await git(repository, "status", "--short")).toBe("");
});

testInside("the parent's files cannot be seen from a worktree, beyond what git keeps of them", async () => {
  const { root, repository, sandbox } = await makeWorktree();
  const { stdout, stderr } = await run(sandbox, `ls -A '${repository}'; cat '${repository}/a'`, {
    profile: "workspace-write",
    directory: root,
  });
  expect(stdout).toBe(".git\n");
  expect(stderr).toContain("No such file");
});

testInside("a tracked file with a sensitive name does not look changed in a worktree either", async () => {
  const { root, sandbox } = await makeWorktree();
  await writeFile(join(root, ".env"), "TOKEN=1");
  const { stdout } = await run(sandbox, "git status --short; cat .env .env.shared", {
    profile: "read-only",
    directory: root,
  });
  expect(stdout).toBe("?? .env\nTOKEN=\n");
});

testInside("below the top of a worktree git works as well, and only what is below is written", async () => {
  const { root, folder, sandbox } = await makeWorktree({ below: "sub" });
  for (const profile of profiles) {
    const { stdout } = await run(sandbox, "git status --short; echo c > ../a", {
      profile,
      directory: root,
      environment,
    });
    expect(stdout).toBe("");
    expect(await readFile(join(folder, "a"), "utf8")).toBe("a\n");
  }
  const { exitCode } = await run(sandbox, "echo c > b", { profile: "workspace-write", directory: root });
  expect(exitCode).toBe(0);
});

testInside("a folder that says it is a worktree is shown no repository that does not know it", async () => {
  const { repository, folder, git } = await makeWorktree();
  const other = await makeFolder();
  await writeFile(join(other, ".git"), await readFile(join(folder, ".git")));
  const pretender = await openFor(other);
  const command = `git log; ls '${repository}/.git'`;
  const { stdout } = await run(pretender, command, {
    profile: "workspace-write",
    directory: other,
    environment,
  });
  expect(stdout).toBe("");
  expect(await git(other, "log", "--format=%s")).toBe("first\n");
});

testInside("a readable place that is missing is passed over", async () => {
  const root = await makeFolder();
  const sandbox = await openFor(root, { readable: [join(root, "..", "nowhere at all")] });
  expect((await run(sandbox, "echo fine", { profile: "read-only", directory: root })).stdout).toBe("fine\n");
});
