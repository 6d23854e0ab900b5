import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gitEnvironment } from "../../../support/git-environment.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { makeFolder, openFor, run, testInside } from "../inside.ts";

const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
const git = (folder: string, ...args: string[]) =>
  promisify(execFile)("git", [...identity, ...args], { cwd: folder, env: gitEnvironment });

const modes = ["required", "off"] as const;

/** A repository with two branches that conflict. */
async function makeRepository(): Promise<string> {
  const root = join(await makeFolder(), "work");
  await mkdir(root);
  await git(root, "init", "--quiet", "--initial-branch=main");
  await commit(root, "first");
  await git(root, "checkout", "--quiet", "-b", "other");
  await commit(root, "other");
  await git(root, "checkout", "--quiet", "main");
  await commit(root, "second");
  return root;
}

async function commit(root: string, text: string): Promise<void> {
  await writeFile(join(root, "a.txt"), `${text}\n`);
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "-m", text);
}

/** A repository with a submodule that is checked out. */
async function makeSubmodule(): Promise<string> {
  const [root, source] = [await makeRepository(), await makeRepository()];
  await git(root, "submodule", "--quiet", "add", source, "libs/sub");
  await git(root, "commit", "--quiet", "-m", "submodule");
  return root;
}

/** What a command has left, by kind and path in the root. */
async function left(
  root: string,
  mode: (typeof modes)[number],
  command: string,
  writable: readonly string[] = [],
): Promise<readonly string[]> {
  const sandbox = await openFor(root, { mode, home: join(root, "..") });
  const box = { profile: "workspace-write", directory: root, writable } as const;
  const environment = { ...gitEnvironment, PATH: "/usr/bin:/bin", HOME: "/nowhere" };
  const { planted = [] } = await run(sandbox, command, { ...box, environment });
  return planted.map(({ path, kind }) => `${kind} ${path.replace(`${root}/`, "")}`).sort();
}

const steps = ["rebase-merge", "rebase-apply", "sequencer"];

testInside.each(modes)("steps for git that a command makes or changes are told, sandbox %s", async (mode) => {
  for (const name of steps) {
    const root = await makeRepository();
    const plant = `mkdir -p .git/${name} && echo 'exec touch ran' >> .git/${name}/git-rebase-todo`;
    expect(await left(root, mode, plant)).toEqual([`steps .git/${name}`]);
    expect(await left(root, mode, "echo more >> a.txt")).toEqual([]);
    expect(await left(root, mode, plant), "one more line").toEqual([`steps .git/${name}`]);
    expect(await left(root, mode, `rm -r .git/${name}`)).toEqual([]);
  }
});

testInside.each(modes)("changes of a command to info are told, sandbox %s", async (mode) => {
  const root = await makeRepository();
  expect(await left(root, mode, "echo '* filter=x' > .git/info/attributes")).toEqual(["settings .git/info"]);
});

testInside.each(modes)("changes are told of every git folder, sandbox %s", async (mode) => {
  const root = await makeSubmodule();
  await git(root, "init", "--quiet", "nested");
  await git(root, "init", "--quiet", "--bare", "bare");
  await git(root, "init", "--quiet", "--separate-git-dir", join(root, "apart"), "linked");
  await mkdir(join(root, ".git/modules/deep"));
  await git(root, "init", "--quiet", "--separate-git-dir", join(root, ".git/modules/deep/er"), "old");
  for (const folder of ["nested/.git", "bare", "apart", ".git/modules/libs/sub", ".git/modules/deep/er"]) {
    const plant = `mkdir ${folder}/rebase-merge && echo 'exec x' > ${folder}/rebase-merge/git-rebase-todo`;
    expect(await left(root, mode, plant)).toEqual([`steps ${folder}/rebase-merge`]);
  }
  // What is laid out like a git folder, and not named like one, can be written.
  expect(await left(root, mode, "git config -f bare/config core.fsmonitor x")).toEqual([
    "bare-repository bare",
  ]);
  expect(await left(root, mode, "git config -f apart/config core.fsmonitor x")).toEqual([
    "bare-repository apart",
  ]);
});

test("a new repository is told once, and one around the workspace is looked at", async () => {
  const root = await makeRepository();
  await mkdir(join(root, "package"));
  const plant =
    "git init -q new && mkdir new/.git/rebase-merge && echo 'exec x' > new/.git/rebase-merge/todo";
  expect(await left(join(root, "package"), "off", plant)).toEqual(["repository new/.git"]);
  const around = await left(join(root, "package"), "off", "mkdir ../.git/sequencer");
  expect(around).toEqual([`steps ${root}/.git/sequencer`]);
});

testInside("the git folder of a linked worktree is looked at, wherever it is", async () => {
  const repository = await makeRepository();
  await git(repository, "worktree", "add", "--quiet", "../tree");
  const root = join(repository, "../tree");
  const folder = join(repository, ".git/worktrees/tree");
  const plant = `mkdir '${folder}/rebase-merge' && echo 'exec x' > '${folder}/rebase-merge/git-rebase-todo'`;
  expect(await left(root, "off", plant)).toEqual([`steps ${folder}/rebase-merge`]);
  expect(await left(root, "required", plant)).toEqual([]);
});

testInside.each(modes)("a submodule whose settings a command changes is told, sandbox %s", async (mode) => {
  const root = await makeSubmodule();
  const config = join(root, ".git/modules/libs/sub/config");
  const before = await readFile(config, "utf8");
  const sandbox = await openFor(root, { mode });
  const { planted = [] } = await run(
    sandbox,
    "mv .git/modules .git/m2 && cp -r .git/m2 .git/modules; git config -f .git/modules/libs/sub/config core.fsmonitor x",
    { profile: "workspace-write", directory: root },
  );
  const isChanged = (await readFile(config, "utf8")) !== before;
  const told = isChanged ? [{ path: join(root, "libs/sub"), kind: "submodule" }] : [];
  expect(planted).toEqual(told);
  expect(sandbox.submodules()).toEqual(told.map(({ path }) => path));
  if (mode === "off") expect(isChanged).toBe(true);
});

test("a module that is not checked out, and a hook of a submodule, are told", async () => {
  const root = await makeSubmodule();
  const evil =
    "mkdir .git/modules/evil && git init -q --separate-git-dir .git/modules/evil/one evil && rm -r evil";
  expect(await left(root, "off", evil)).toEqual(["settings .git/modules/evil/one"]);
  const change = "git config -f .git/modules/evil/one/config core.fsmonitor x";
  expect(await left(root, "off", change)).toEqual(["settings .git/modules/evil/one"]);
  const inside = ".git/modules/evil/one";
  expect(await left(root, "off", `mkdir ${inside}/sequencer`)).toEqual([`steps ${inside}/sequencer`]);
  const further = `cp -r ${inside} two && mkdir ${inside}/modules && mv two ${inside}/modules/two`;
  expect(await left(root, "off", further)).toEqual([`settings ${inside}/modules/two`]);
  expect(
    await left(root, "off", `touch ${inside}/modules/two/hooks/x ${inside}/modules/two/sequencer/todo`),
  ).toEqual([`settings ${inside}/modules/two`, `steps ${inside}/modules/two/sequencer`]);
  const hook = "echo evil > .git/modules/libs/sub/hooks/post-checkout";
  expect(await left(root, "off", hook)).toEqual(["submodule libs/sub"]);
  const exchange = "git init -q other && echo 'gitdir: ../../other/.git' > libs/sub/.git";
  expect(await left(root, "off", exchange)).toEqual(["repository other/.git", "submodule libs/sub"]);
});

testInside.each(modes)("git's own work is told in one line at most, sandbox %s", async (mode) => {
  const root = await makeRepository();
  const as = "git -c user.name=a -c user.email=a@b";
  const quiet = [
    `echo c > c.txt; git add -A; ${as} commit -qm c; ${as} commit -q --amend -m d; git gc -q; git tag x`,
    `git stash -q; git checkout -q other; git checkout -q main; git fsck >/dev/null 2>&1; git repack -q`,
    `git checkout -qb plain HEAD~1; echo d > d.txt; git add -A; ${as} commit -qm d; ${as} rebase -q main; git log --oneline | wc -l`,
    `git checkout -q main; ${as} cherry-pick plain; git format-patch -q -1 plain -o patches; git reset -q --hard HEAD~1; ${as} am -q patches/*`,
  ];
  for (const command of quiet) expect([command, await left(root, mode, command)]).toEqual([command, []]);
  expect(await left(root, mode, `${as} rebase other`)).toEqual(["steps .git/rebase-merge"]);
  expect(await left(root, mode, "git add -A; git status -s; git diff")).toEqual([]);
  expect(await left(root, mode, "git rebase --abort")).toEqual([]);
  expect(await left(root, mode, `${as} cherry-pick other plain`)).toEqual(["steps .git/sequencer"]);
});

testInside(
  "git changes submodules in a sandbox once a person has let it, and no change is told",
  async () => {
    const root = await makeSubmodule();
    const clone = join(root, "../clone");
    await git(root, "clone", "--quiet", root, clone);
    await git(root, "clone", "--quiet", "--bare", "libs/sub", join(clone, "source"));
    await git(clone, "config", "-f", ".gitmodules", "submodule.libs/sub.url", join(clone, "source"));
    let asked = 0;
    const { session } = await openTestSession({
      workspace: clone,
      sandbox: "required",
      permissions: { mode: "auto" },
      onApproval: () => {
        asked += 1;
        return "allow";
      },
    });
    const update = "git -c protocol.file.allow=always submodule --quiet update --init && cat libs/sub/a.txt";
    const { text, receipt } = await session.call("shell_run", { command: update });
    expect([text.includes("second"), receipt.planted, asked], text).toEqual([true, undefined, 1]);
    expect((await session.call("shell_run", { command: "git status --short" })).status).toBe("done");
    expect(asked).toBe(1);
    const sync = "git submodule --quiet sync && git config -f .git/modules/libs/sub/config remote.origin.url";
    const again = await session.call("shell_run", { command: sync });
    expect([again.text.includes("/source"), again.receipt.planted], again.text).toEqual([true, undefined]);
  },
);

test("a person who lets git change submodules is not told of those", async () => {
  const [root, source] = [await makeSubmodule(), await makeRepository()];
  await git(root, "submodule", "--quiet", "add", source, "libs/two");
  await git(root, "commit", "--quiet", "-m", "two");
  const clone = join(root, "../clone");
  await git(root, "clone", "--quiet", root, clone);
  const update = "git -c protocol.file.allow=always submodule --quiet update --init";
  const asked = [join(clone, ".git/config"), join(clone, ".git/modules")];
  expect(await left(clone, "off", update, asked)).toEqual([]);
  await git(clone, "submodule", "--quiet", "deinit", "--all", "--force");
  expect(await left(clone, "off", update)).toEqual([
    "repository .git",
    "submodule libs/sub",
    "submodule libs/two",
  ]);
});

testInside("targets of links are looked at, and too many modules are told", async () => {
  const root = await makeSubmodule();
  await mkdir(join(root, "hooks"));
  await mkdir(join(root, "kept"));
  await rm(join(root, ".git/modules/libs/sub/hooks"), { recursive: true });
  await symlink(join(root, "hooks"), join(root, ".git/modules/libs/sub/hooks"));
  await symlink("../kept", join(root, ".git/sequencer"));
  expect(await left(root, "off", "echo evil > hooks/post-checkout")).toEqual(["submodule libs/sub"]);
  expect(await left(root, "off", "echo evil > kept/todo")).toEqual(["steps .git/sequencer"]);
  const evil =
    "git init -q --bare far/repository; rm -r far/repository/objects; ln -s ../../far/repository .git/modules/x";
  expect(await left(root, "off", evil)).toEqual(["settings .git/modules/x"]);
  expect(await left(root, "off", "mkdir -p .git/modules/{1..300}")).toEqual(["unreadable .git/modules"]);
});

test("a command that names a place in a git folder asks before it writes there", async () => {
  const root = await makeSubmodule();
  const { session } = await openTestSession({
    workspace: root,
    sandbox: "off",
    permissions: { mode: "auto" },
  });
  const places = [
    ...steps.map((name) => `.git/${name}/todo`),
    ...[".git/info/attributes", ".git/modules/libs/sub/config", ".git/modules/libs/sub/rebase-merge/done"],
  ];
  for (const path of places)
    for (const [tool, input] of [
      ["file_write", { path, content: "exec x" }],
      ["file_copy", { source: "a.txt", destination: path }],
      ["shell_run", { command: `echo 'exec x' >> ${path}` }],
      ["shell_run", { command: `cp a.txt ${path}` }],
      ["shell_run", { command: `cd .git && mkdir -p ${path.slice(".git/".length)}` }],
      ["shell_run", { command: `mv ${dirname(path)} elsewhere` }],
    ] as const)
      expect([input, (await session.explain(tool, input)).decision]).toEqual([input, "ask"]);
});

testInside("the result of the command tells what it has left", async () => {
  const root = await makeRepository();
  const { session } = await openTestSession({
    workspace: root,
    sandbox: "required",
    permissions: { mode: "auto" },
  });
  const plant = `import os; os.mkdir(".git/rebase-merge"); open(".git/rebase-merge/git-rebase-todo", "w").write("exec x")`;
  const { text, receipt } = await session.call("shell_run", { command: `python3 -c '${plant}'` });
  expect(text).toContain(".git/rebase-merge (steps that git runs when a rebase");
  expect(receipt.planted).toHaveLength(1);
});

testInside(
  "hooks and settings that a repository in a folder lacks cannot be made, and nothing is left",
  async () => {
    const root = await makeRepository();
    await git(root, "init", "--quiet", "--template=", "nested");
    const before = await readdir(join(root, "nested/.git"));
    const plant = "mkdir nested/.git/hooks; echo evil > nested/.git/hooks/post-checkout";
    expect(await left(root, "required", plant)).toEqual([]);
    expect(await left(root, "required", "echo . > nested/.git/commondir")).toEqual([]);
    expect(await readdir(join(root, "nested/.git"))).toEqual(before);
    expect(await left(root, "off", plant)).toEqual(["repository nested/.git"]);
  },
);
