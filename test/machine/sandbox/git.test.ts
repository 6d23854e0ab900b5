import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { makeFolder, makeWorkspace, openFor, run, testInside } from "./inside.ts";

const identity = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};
const environment = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...identity };

async function makeRepository() {
  const made = await makeWorkspace();
  const git = (...args: string[]) =>
    promisify(execFile)("git", args, { cwd: made.root, env: { ...environment, HOME: made.home } });
  await git("init", "-q");
  await writeFile(join(made.root, "a"), "a\n");
  await git("add", "a");
  await git("commit", "-qm", "first");
  return { ...made, git };
}

testInside(
  "git tells what changed to a command that may only read, and runs nothing the repository names",
  async () => {
    const { root, sandbox, git } = await makeRepository();
    await writeFile(join(root, "a"), "b\n");
    await writeFile(join(root, "monitor"), "#!/bin/sh\necho RAN >&2\n", { mode: 0o755 });
    await git("config", "core.fsmonitor", join(root, "monitor"));
    await git("config", "core.pager", join(root, "monitor"));
    const { stdout, stderr, exitCode } = await run(
      sandbox,
      "git status --short && git -p log --oneline && git diff --stat",
      {
        profile: "read-only",
        directory: root,
        environment: {
          ...environment,
          GIT_DIR: "/nowhere",
          GIT_EXTERNAL_DIFF: "/bin/false",
          GIT_PAGER: "/bin/false",
        },
      },
    );
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toContain(" M a\n?? monitor\n");
    expect(stdout).toContain("first");
  },
);

testInside(
  "a repository hidden in a folder of the workspace is not used by a command that may only read",
  async () => {
    const { root, sandbox, git } = await makeRepository();
    await git("init", "-q", "--bare", "vendor");
    const { stderr } = await run(sandbox, "cd vendor && git log", { profile: "read-only", directory: root });
    expect(stderr).toContain("safe.bareRepository");
  },
);

testInside("a tracked file with a sensitive name does not look changed", async () => {
  const { root, git } = await makeRepository();
  await writeFile(join(root, ".env.shared"), "TOKEN=");
  await writeFile(join(root, ".env"), "TOKEN=1");
  await git("add", ".env.shared");
  await git("commit", "-qm", "second");
  const sandbox = await openFor(root);
  const box = { profile: "read-only", directory: root } as const;
  const { stdout } = await run(sandbox, "git status --short; cat .env .env.shared", box);
  expect(stdout).toBe("?? .env\nTOKEN=");
  // What is not committed is no more known to others than in a file that is not tracked at all.
  await writeFile(join(root, ".env.shared"), "TOKEN=2");
  await git("add", "-f", ".env");
  const changed = await run(sandbox, "git status --short; cat .env .env.shared", box);
  expect(changed.stdout).toContain("AM .env\n M .env.shared\n");
  expect(changed.stdout).not.toMatch(/TOKEN=\d/);
  await git("commit", "-qm", "third", "-a");
  expect((await run(sandbox, "cat .env .env.shared", box)).stdout).toBe("");
});

testInside("a command that may write commits, branches, stashes and collects garbage", async () => {
  const { root, sandbox, git } = await makeRepository();
  const { stderr, exitCode } = await run(
    sandbox,
    `set -e; echo b > b; git add -A; git commit -qm second; git checkout -qb other; echo c > a; git stash -q
     git stash pop -q; git commit -qam third; git checkout -q -; git merge -q other; git rebase -q HEAD~1; git tag x; git gc -q; git fsck`,
    { profile: "workspace-write", directory: root, environment },
  );
  expect({ stderr: stderr.replace(/^.*(?:Checking|notice:|dangling).*$/gm, "").trim(), exitCode }).toEqual({
    stderr: "",
    exitCode: 0,
  });
  const { stdout } = await git("log", "--format=%s", "--name-only");
  expect(stdout.split("\n").filter((line) => line !== "")).toEqual([
    "third",
    "a",
    "second",
    "b",
    "first",
    "a",
  ]);
  expect((await git("status", "--short")).stdout).toBe("");
  expect((await readdir(join(root, ".git"))).filter((name) => /commondir|worktree/.test(name))).toEqual([]);
});

testInside("a command that may write cannot make git run something later", async () => {
  const { root, sandbox } = await makeRepository();
  const before = await readFile(join(root, ".git", "config"), "utf8");
  const hooks = await readdir(join(root, ".git", "hooks"));
  const { stdout } = await run(
    sandbox,
    `exec 2>&1
    git config core.fsmonitor ./evil; echo evil >> .git/config; rm -f .git/config; mv .git/config x1; cp a .git/config.lock; mv -T .git/config.lock .git/config
    echo evil > .git/hooks/pre-commit; rm -rf .git/hooks; mv .git/hooks x2; mkdir .git/hooks
    echo evil > .git/config.worktree; rm .git/config.worktree; mkdir evil; echo ../evil > .git/commondir; rm -f .git/commondir; mv .git/commondir x3; ln -sf x .git/commondir
    mv .git x; cp -r .git y && rm -rf .git; ls -d x; ls -d .git`,
    { profile: "workspace-write", directory: root, environment },
  );
  expect(stdout).toContain("ls: cannot access 'x'");
  expect(await readFile(join(root, ".git", "config"), "utf8")).toBe(before);
  expect(await readdir(join(root, ".git", "hooks"))).toEqual(hooks);
  expect(await readdir(join(root, ".git"))).not.toContain("commondir");
  expect(await readdir(join(root, ".git"))).not.toContain("config.worktree");
});

testInside(
  "hooks and configuration are protected in repositories beneath the workspace as well",
  async () => {
    const { root, sandbox, git } = await makeRepository();
    await git("init", "-q", "sub/module");
    await mkdir(join(root, ".git", "modules", "deep"), { recursive: true });
    await git("init", "-q", "--separate-git-dir", ".git/modules/deep/name", "linked");
    const { stdout } = await run(
      sandbox,
      `exec 2>&1
    for git in sub/module/.git .git/modules/deep/name; do echo evil >> $git/config; echo evil > $git/hooks/x; done
    echo evil > linked/.git`,
      { profile: "workspace-write", directory: root },
    );
    expect(stdout.match(/Read-only file system/g)).toHaveLength(5);
  },
);

testInside("a git folder whose hooks are a link is not written at all", async () => {
  const { root, sandbox, git } = await makeRepository();
  await promisify(execFile)("rm", ["-r", join(root, ".git", "hooks")]);
  await mkdir(join(root, "tools"));
  await chmod(join(root, "tools"), 0o755);
  await symlink("../tools", join(root, ".git", "hooks"));
  const { stderr } = await run(sandbox, "rm .git/hooks; touch .git/x; touch fine", {
    profile: "workspace-write",
    directory: root,
  });
  expect(stderr.match(/Read-only file system/g)).toHaveLength(2);
  expect((await git("status", "--short")).stdout).toContain("fine");
});

testInside(
  "a repository around the workspace is shown to a command that needs it, but not its secrets",
  async () => {
    const around = await makeFolder();
    const root = join(around, "packages", "a");
    for (const name of ["a", "b"]) {
      await mkdir(join(around, "packages", name), { recursive: true });
      await writeFile(join(around, "packages", name, ".env"), "hush");
      await writeFile(join(around, "packages", name, "x"), `plain ${name}\n`);
    }
    const sandbox = await openFor(root);
    const command = "cat x ../b/x; cat .env ../b/.env; touch ../b/new new";
    const box = { profile: "read-only", directory: root } as const;
    const shown = await run(sandbox, command, { ...box, repository: around });
    expect(shown.stdout).toBe("plain a\nplain b\n");
    expect(await readdir(join(around, "packages", "b"))).toEqual([".env", "x"]);
    expect((await run(sandbox, command, box)).stdout).toBe("plain a\n");
    const writing = await run(sandbox, "touch new ../b/new; cat ../b/x", {
      ...box,
      profile: "workspace-write",
      repository: around,
    });
    expect(writing.stdout).toBe("plain b\n");
    expect(await readdir(join(around, "packages", "b"))).toEqual([".env", "x"]);
    expect(await readdir(root)).toContain("new");
  },
);
