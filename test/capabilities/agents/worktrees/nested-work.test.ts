import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../../src/capabilities/agents/worktrees/finish-worktree.ts";
import type { Worktree } from "../../../../src/capabilities/agents/worktrees/worktree-record.ts";
import { casesOf } from "../../../support/fuzz.ts";
import { git, makeRepository, write } from "./make-repository.ts";

const message = "What was done";

/** With its submodule `module` as it is recorded, and work beside it. */
async function makeWorktree() {
  const inner = await makeRepository({ inner: "1", other: "1", ".gitignore": "built\n" });
  const made = await makeRepository();
  await submodule(made.top, "add", inner.top, "module");
  await git(made.top, "commit", "--quiet", "--message=module");
  const worktree = await createWorktree({ workspace: made.top, folder: made.folder });
  await submodule(worktree.root, "update", "--init");
  await write(worktree.root, { b: "1" });
  return { ...made, inner, worktree, module: join(worktree.root, "module") };
}

function submodule(cwd: string, ...args: string[]) {
  return git(cwd, "-c", "protocol.file.allow=always", "submodule", "--quiet", ...args);
}

async function commit(folder: string) {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message=own");
}

async function change(module: string) {
  await write(module, { inner: "2" });
  await commit(module);
}

/** The folder stays, the error says for what, and all else is on the branch. */
async function expectKept(worktree: Worktree, what: string) {
  await expect(finishWorktree(worktree, { message })).rejects.toMatchObject({
    code: "conflict",
    message: `the branch toolwright/child has all of the work except ${what}; the folder ${worktree.folder} is kept for that`,
    hint: expect.stringContaining(`git worktree remove --force '${worktree.folder}'`),
  });
  expect(await readFile(join(worktree.root, "b"), "utf8")).toBe("1");
  expect(await git(worktree.repository, "show", `${worktree.branch}:b`)).toBe("1");
}

test("a submodule as it is recorded goes with the worktree", async () => {
  const { top, folder, worktree, module } = await makeWorktree();
  await write(module, { built: "ignored" });
  const finished = await finishWorktree(worktree, { message });
  expect(finished.files).toEqual([{ path: "b", change: "added" }]);
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
});

const kindsOfWork: readonly (readonly [string, (module: string) => Promise<unknown>])[] = [
  ["a changed file", (module) => write(module, { inner: "2" })],
  ["a new file", (module) => write(module, { "new/file": "1" })],
  ["a deleted file", (module) => rm(join(module, "other"))],
  ["a commit", (module) => change(module)],
  [
    "a commit on a branch that is not looked at",
    async (module) => {
      await git(module, "checkout", "--quiet", "-b", "own");
      await change(module);
      await git(module, "checkout", "--quiet", "--detach", "HEAD^");
    },
  ],
  [
    "a stash",
    async (module) => {
      await write(module, { inner: "2" });
      await git(module, "stash", "--quiet");
    },
  ],
  [
    "a commit that is recorded, and nowhere but there",
    async (module) => {
      await change(module);
      await git(join(module, ".."), "add", "module");
    },
  ],
  [
    "another commit of its remote",
    async (module) => {
      await change((await git(module, "config", "remote.origin.url")).trim());
      await git(module, "fetch", "--quiet");
      await git(module, "checkout", "--quiet", "origin/main");
    },
  ],
  ["files without a repository", (module) => rm(join(module, ".git"))],
];
// What git is asked for in different ways: files, branches and the stash.
const severalKinds = kindsOfWork.filter(([name]) =>
  ["a new file", "a commit on a branch that is not looked at", "a stash"].includes(name),
);

test.each(casesOf({ sample: severalKinds, full: kindsOfWork }))(
  "%s in a submodule: the folder is kept, and all else is on the branch",
  async (_, work) => {
    const { worktree, module } = await makeWorktree();
    await work(module);
    await expectKept(worktree, "changes in the submodule module");
    // Again, with nothing new.
    await expectKept(worktree, "changes in the submodule module");
  },
);

test("a worktree can be finished once the work in a submodule is safe, or its folder removed as the hint says", async () => {
  const one = await makeWorktree();
  await write(one.module, { inner: "2" });
  await expectKept(one.worktree, "changes in the submodule module");
  await git(one.module, "checkout", "--quiet", ".");
  expect(await finishWorktree(one.worktree, { message })).toMatchObject({ files: [{ path: "b" }] });

  const pushed = await makeWorktree();
  await change(pushed.module);
  await git(pushed.worktree.root, "add", "module");
  await expectKept(pushed.worktree, "changes in the submodule module");
  await git(pushed.module, "push", "--quiet", "origin", "HEAD:refs/heads/own");
  const { files } = await finishWorktree(pushed.worktree, { message });
  expect(files.map(({ path }) => path)).toEqual(["b", "module"]);

  const removed = await makeWorktree();
  await write(removed.module, { inner: "2" });
  await expectKept(removed.worktree, "changes in the submodule module");
  await git(removed.top, "worktree", "remove", "--force", removed.folder);
  expect(await finishWorktree(removed.worktree, { message })).toMatchObject({ files: [{ path: "b" }] });
});

test("a new submodule is on the branch; a repository recorded without its origin keeps the folder", async () => {
  const { top, worktree, inner } = await makeWorktree();
  await submodule(worktree.root, "add", inner.top, "second");
  const { files, branch } = await finishWorktree(worktree, { message });
  expect(files.map(({ path }) => path)).toEqual([".gitmodules", "b", "second"]);
  expect(await git(top, "ls-tree", branch, "second")).toContain("160000 commit");

  const other = await makeWorktree();
  await git(other.worktree.root, "clone", "--quiet", inner.top, "clone");
  await git(other.worktree.root, "add", "clone");
  await expectKept(other.worktree, "changes in the submodule clone");
});

test("work in a submodule of a submodule keeps the folder; without any it goes", async () => {
  for (const files of [{}, { deepest: "2" }]) {
    const { top, around, inner } = await makeWorktree();
    const middle = await makeRepository({ middle: "1" });
    await submodule(middle.top, "add", inner.top, "deep");
    await commit(middle.top);
    await submodule(top, "add", middle.top, "outer");
    await commit(top);
    const worktree = await createWorktree({ workspace: top, folder: join(around, "trees", "second") });
    await submodule(worktree.root, "update", "--init", "--recursive");
    await write(join(worktree.root, "outer", "deep"), files);
    const finishing = finishWorktree(worktree, { message });
    if (Object.keys(files).length === 0) expect((await finishing).isBranchKept).toBe(false);
    else await expect(finishing).rejects.toThrow("all of the work except changes in the submodule outer;");
  }
});

test("programs that a submodule or a repository inside names are not run", async () => {
  const { around, worktree, module, inner } = await makeWorktree();
  await writeFile(join(around, "trap"), `#!/bin/sh\ntouch '${around}/ran'\ncat\n`, { mode: 0o755 });
  await git(worktree.root, "clone", "--quiet", inner.top, "clone");
  for (const folder of [module, join(worktree.root, "clone")]) {
    for (const key of [
      "core.fsmonitor",
      "core.pager",
      "core.sshCommand",
      "filter.trap.clean",
      "filter.trap.process",
    ]) {
      await git(folder, "config", key, `'${around}/trap'`);
    }
    await write(folder, { ".gitattributes": "* filter=trap\n", inner: "2" });
  }
  // A commit that is missing would be fetched by the program that this names.
  const clone = join(worktree.root, "clone");
  await git(clone, "config", "remote.origin.promisor", "true");
  await git(clone, "config", "remote.origin.url", `ext::${join(around, "trap").replaceAll(" ", "% ")}`);
  await git(clone, "config", "extensions.partialClone", "origin");
  await git(clone, "config", "core.repositoryFormatVersion", "1");
  await writeFile(join(clone, ".git", "refs", "heads", "missing"), `${"1".repeat(40)}\n`);
  await rm(join(around, "ran"), { force: true });
  await expectKept(worktree, "changes in the submodule module");
  expect(await readdir(around)).not.toContain("ran");
});

test("a clone in the worktree has its files on the branch, and commits that are nowhere else keep the folder", async () => {
  const { top, worktree, inner } = await makeWorktree();
  await git(worktree.root, "clone", "--quiet", inner.top, "clone");
  await write(worktree.root, { "clone/more": "1" });
  await git(worktree.root, "worktree", "add", "--quiet", "beside", "-b", "beside");
  const { branch } = await finishWorktree(worktree, { message });
  expect(await git(top, "show", `${branch}:clone/more`)).toBe("1");
  expect(await git(top, "show", `${branch}:clone/inner`)).toBe("1");

  const other = await makeRepository({ "tracked/x": "1" });
  const second = await createWorktree({ workspace: other.top, folder: other.folder });
  await write(second.root, { b: "1" });
  for (const path of ["made", "tracked", "deep/er", "made/inside"]) {
    await git(second.root, "init", "--quiet", path);
    await write(join(second.root, path), { own: "1" });
    await commit(join(second.root, path));
  }
  await expect(finishWorktree(second, { message })).rejects.toThrow(
    /all of the work except commits in the repository .*, commits in the repository .*, commits in the repository .* and 1 more;/,
  );
  expect(await git(other.top, "show", `${second.branch}:made/inside/own`)).toBe("1");
  for (const path of ["made/inside", "made", "deep/er"]) {
    await rm(join(second.root, path), { recursive: true });
  }
  await expectKept(second, "commits in the repository tracked");
  await rm(join(second.root, "tracked", ".git"), { recursive: true });
  const { files } = await finishWorktree(second, { message });
  expect(files.map(({ path }) => path)).toEqual(["b", "tracked/own"]);
});

test("work in a submodule whose name is not UTF-8 is not thrown away", async () => {
  const { worktree, module } = await makeWorktree();
  await write(module, { inner: "2" });
  const move = `!git mv module "$(printf 'm\\377')"`;
  await git(worktree.root, "-c", `alias.move=${move}`, "move");
  await expectKept(worktree, "changes in the submodule m\ufffd");
});
