import { execFile } from "node:child_process";
import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { gitEnvironment } from "../../support/git-environment.ts";
import { makeWorkspace, run, testInside } from "./inside.ts";

const identity = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

/** A repository with submodules, one of which has a name like a setting, and with another repository beside them. */
async function makeRepositories() {
  const made = await makeWorkspace();
  const git = (folder: string, ...args: string[]) =>
    promisify(execFile)("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: join(made.root, folder),
      env: { ...gitEnvironment, ...identity, HOME: made.home },
    });
  for (const folder of ["../source", ".", "vendor/lib"]) {
    await mkdir(join(made.root, folder), { recursive: true });
    await git(folder, "init", "-q");
    await git(folder, "commit", "-q", "--allow-empty", "-m", "first");
  }
  for (const name of ["group/sub", "config"])
    await git(".", "submodule", "--quiet", "add", "../source", name);
  await git(".", "commit", "-qm", "second");
  return { ...made, git };
}

const sub = ".git/modules/group/sub";
// The folder of git that git is sent to instead.
const evil = (worktree: string) =>
  `printf '[core]\\n\\tworktree = %s\\n\\tfsmonitor = "touch RAN; false"\\n' ${worktree}`;
const elsewhere = `mkdir -p evil; cp -r ${sub}/objects ${sub}/refs evil; ${evil("$PWD/group/sub")} >evil/config`;

/** Commands, one after another. */
const attacks: Record<string, readonly string[]> = {
  "its settings are written": [`${evil("$PWD/group/sub")} >${sub}/config`],
  "it looks like no repository to the next command": [
    `mv ${sub}/HEAD ${sub}/H`,
    `${evil("$PWD/group/sub")} >${sub}/config; mv ${sub}/H ${sub}/HEAD`,
  ],
  "a folder above it looks like one to the next command": [
    "touch .git/modules/HEAD .git/modules/group/HEAD; mkdir .git/modules/objects .git/modules/group/objects",
    `${evil("$PWD/group/sub")} >${sub}/config`,
  ],
  "it is one folder of thousands to the next command": [
    "mkdir .git/modules/{a..z}{0..199}",
    `${evil("$PWD/group/sub")} >${sub}/config`,
  ],
  "its settings are said to be elsewhere": [`${elsewhere}; echo "$PWD/evil" >${sub}/commondir`],
  "it is moved away": [
    `mv ${sub} .git/moved; cp -r .git/moved ${sub}; ${evil("$PWD/group/sub")} >${sub}/config`,
  ],
  "those of a repository in a folder are said to be elsewhere": [
    `${elsewhere}; ${evil("$PWD/vendor/lib")} >evil/config; echo "$PWD/evil" >vendor/lib/.git/commondir`,
  ],
};

for (const [what, commands] of Object.entries(attacks)) {
  testInside(`commands cannot make git run something in a submodule later: ${what}`, async () => {
    const { root, sandbox, git } = await makeRepositories();
    for (const command of commands)
      await run(sandbox, command, { profile: "workspace-write", directory: root });
    for (const folder of [".", "group/sub", "vendor/lib"]) await git(folder, "status").catch(() => {});
    const left = await readdir(root, { recursive: true });
    expect(left.filter((path) => path.endsWith("RAN"))).toEqual([]);
  });
}

testInside("a submodule whose git folder is a link is not exchanged for another one", async () => {
  const { root, sandbox } = await makeRepositories();
  await rename(join(root, sub), join(root, "kept"));
  await symlink(join(root, "kept"), join(root, sub));
  const { exitCode } = await run(sandbox, `rm ${sub}`, { profile: "workspace-write", directory: root });
  expect(exitCode).not.toBe(0);
});

testInside("a command that may write works in submodules and leaves nothing in them", async () => {
  const { root, sandbox, git } = await makeRepositories();
  const command = `for each in group/sub config vendor/lib; do (
      set -e; cd $each; echo x >x; git add x; git commit -qm x; git checkout -qb feature; git gc -q; git fsck
    ) || echo "failed in $each"; done; git add group/sub config; git commit -qm third; git submodule status`;
  const { stdout, stderr } = await run(sandbox, command, {
    profile: "workspace-write",
    directory: root,
    environment: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...identity },
  });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^ \w+ config \(.*\)\n \w+ group\/sub \(.*\)\n$/);
  await writeFile(join(root, "new"), "");
  expect((await git(".", "status", "--short")).stdout).toBe("?? new\n?? vendor/\n");
  const names = await readdir(join(root, sub));
  expect(names).not.toContain("commondir");
  expect(names).not.toContain("config.worktree");
});
