import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { isSensitivePath } from "../../../../src/kernel/policy/paths/judge-path.ts";
import { fuzzRuns } from "../../../support/fuzz.ts";
import { git, makeFolder, makeRepository, stateOf, write } from "./make-repository.ts";

test("a worktree of a clean repository begins at its HEAD, on a branch named after its folder", async () => {
  const { top, folder } = await makeRepository();
  const before = await stateOf(top);
  const head = (await git(top, "rev-parse", "HEAD")).trim();
  const made = await createWorktree({ workspace: top, folder });
  expect(made).toEqual({
    folder,
    root: folder,
    branch: "toolwright/child",
    base: head,
    hasUncommitted: false,
    gitFolder: join(top, ".git"),
    repository: top,
  });
  expect(await git(folder, "status", "--porcelain", "--branch")).toBe("## toolwright/child\n");
  expect((await stat(join(folder, ".."))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(folder, ".."))).toEqual(["child"]);
  expect(await stateOf(top, [made.branch])).toBe(before);
});

test("a worktree holds no secret that is not committed, and committed ones as they are there", async () => {
  const { top, folder } = await makeRepository({ ".env.test": "committed\n", "sub/.env.old": "committed\n" });
  await write(top, {
    ".env": "hush\n",
    "sub/id_rsa": "hush\n",
    "sub/.env.added": "hush\n",
    ".env.test": "hush\n",
    "sub/.env.old": "hush\n",
    plain: "new\n",
  });
  await git(top, "add", "--force", "sub/.env.added", "sub/.env.old");
  const before = await stateOf(top);
  const made = await createWorktree({ workspace: top, folder, isSecret: isSensitivePath });
  expect((await readdir(folder)).sort()).toEqual([".env.test", ".git", "plain", "sub"]);
  expect(await readdir(join(folder, "sub"))).toEqual([".env.old"]);
  expect(await git(folder, "grep", "-h", "-e", "hush", "-e", "committed")).toBe("committed\ncommitted\n");
  expect(await git(top, "log", "-p", "--all")).not.toContain("hush");
  expect(await git(folder, "status", "--porcelain")).toBe("");
  expect(await stateOf(top, [made.branch])).toBe(before);
});

test("a worktree holds what is staged, changed, deleted and new in the parent, and nothing that is ignored", async () => {
  const { top, folder } = await makeRepository({
    ".gitignore": "ignored\n",
    staged: "1",
    changed: "1",
    deleted: "1",
    both: "1",
    "old name": "a text long enough to be known again",
  });
  await write(top, { staged: "2", both: "2", "added/file": "2", ignored: "secret" });
  await git(top, "add", "staged", "both", "added");
  await git(top, "mv", "old name", "new name");
  await write(top, { changed: "2", both: "3", "untracked/deep/file": "2" });
  await rm(join(top, "deleted"));
  const before = await stateOf(top);
  const made = await createWorktree({ workspace: top, folder });
  expect(made.hasUncommitted).toBe(true);
  expect(await git(folder, "status", "--porcelain")).toBe("");
  expect((await git(folder, "ls-files")).split("\n")).toEqual([
    ".gitignore",
    "added/file",
    "both",
    "changed",
    "new name",
    "staged",
    "untracked/deep/file",
    "",
  ]);
  expect(await readFile(join(folder, "both"), "utf8")).toBe("3");
  expect(await readFile(join(folder, "staged"), "utf8")).toBe("2");
  expect(await readFile(join(folder, "changed"), "utf8")).toBe("2");
  expect((await git(folder, "rev-parse", "HEAD^")).trim()).toBe((await git(top, "rev-parse", "HEAD")).trim());
  expect(await stateOf(top, [made.branch])).toBe(before);
});

test("names with spaces, line breaks, quotes, stars and bytes that are no text come along", async () => {
  const { top, folder } = await makeRepository();
  const names = ["a b", "a\nb", '"quoted"', "'", "*", ":(top)x", "-n", "ünïcödé", "日本", "\\"];
  for (const name of names) await writeFile(join(top, name), "new");
  await writeFile(Buffer.concat([Buffer.from(`${top}/`), Buffer.from([0xff, 0xfe])]), "new");
  await createWorktree({ workspace: top, folder });
  const found = await readdir(folder, { encoding: "buffer" });
  const expected = [...names.map((name) => Buffer.from(name)), Buffer.from([0xff, 0xfe])];
  for (const name of expected) expect(found.some((each) => each.equals(name))).toBe(true);
});

test("links, modes, and files that became folders or links come along", async () => {
  const { top, folder } = await makeRepository({ file: "1", "dir/x": "1", "linked/x": "1", run: "1" });
  await rm(join(top, "file"));
  await write(top, { "file/inside": "2" });
  await rm(join(top, "dir"), { recursive: true });
  await writeFile(join(top, "dir"), "2");
  await rm(join(top, "linked"), { recursive: true });
  await symlink("file", join(top, "linked"));
  await chmod(join(top, "run"), 0o755);
  await symlink("/nowhere", join(top, "away"));
  await createWorktree({ workspace: top, folder });
  expect((await git(folder, "ls-files")).split("\n")).toEqual([
    "away",
    "dir",
    "file/inside",
    "linked",
    "run",
    "",
  ]);
  expect(await readlink(join(folder, "linked"))).toBe("file");
  expect((await stat(join(folder, "run"))).mode & 0o100).toBe(0o100);
});

test("a file changed in the same moment as the index, with the same length, is seen to be changed", async () => {
  for (let round = 0; round < 5; round++) {
    const { top, folder } = await makeRepository();
    await writeFile(join(top, "a"), "1");
    await git(top, "add", "a");
    await writeFile(join(top, "a"), "2");
    const { root } = await createWorktree({ workspace: top, folder });
    expect(await readFile(join(root, "a"), "utf8")).toBe("2");
  }
});

test("a workspace below the top is found at the same place, also where nothing in it is kept", async () => {
  const { top, folder, around } = await makeRepository({ "sub/a": "1" });
  await mkdir(join(top, "empty"));
  const made = await createWorktree({ workspace: join(top, "sub"), folder });
  expect([made.root, made.repository]).toEqual([join(folder, "sub"), top]);
  expect(await readdir(made.root)).toEqual(["a"]);
  const other = await createWorktree({ workspace: join(top, "empty"), folder: join(around, "other") });
  expect((await stat(other.root)).isDirectory()).toBe(true);
});

test("a worktree can be made from a worktree, a detached HEAD, a bare repository's worktree, and through links", async () => {
  const { top, folder, around } = await makeRepository();
  const first = await createWorktree({ workspace: top, folder });
  await write(first.root, { b: "1" });
  const second = await createWorktree({ workspace: first.root, folder: join(around, "second") });
  expect([second.gitFolder, second.repository]).toEqual([join(top, ".git"), first.folder]);
  expect(await readdir(second.root)).toEqual([".git", "a", "b"]);

  await git(top, "checkout", "--quiet", "--detach");
  const third = await createWorktree({ workspace: top, folder: join(around, "third") });
  expect(third.hasUncommitted).toBe(false);

  await git(around, "clone", "--quiet", "--bare", top, "bare.git");
  await git(join(around, "bare.git"), "worktree", "add", "--quiet", join(around, "of bare"), "main");
  const fourth = await createWorktree({ workspace: join(around, "of bare"), folder: join(around, "fourth") });
  expect([fourth.gitFolder, await readdir(fourth.root)]).toEqual([join(around, "bare.git"), [".git", "a"]]);

  await symlink(top, join(around, "link"));
  await symlink(join(around, "trees"), join(around, "other trees"));
  const fifth = await createWorktree({
    workspace: join(around, "link"),
    folder: join(around, "other trees", "x"),
  });
  expect([fifth.repository, fifth.folder]).toEqual([top, join(around, "trees", "x")]);
});

test("submodules and other repositories inside are left alone", async () => {
  const { top, folder, around } = await makeRepository();
  const other = await makeRepository({ inner: "1" });
  await git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.top, "module");
  await git(top, "commit", "--quiet", "--message=module");
  await write(join(top, "module"), { inner: "2", more: "2" });
  await git(join(top, "module"), "commit", "--quiet", "--all", "--message=second");
  await git(top, "init", "--quiet", "nested");
  await git(top, "worktree", "add", "--quiet", "inside");
  await write(join(top, "nested"), { x: "1" });
  const before = await stateOf(top);
  const made = await createWorktree({ workspace: top, folder });
  expect(made.hasUncommitted).toBe(false);
  expect((await readdir(folder)).sort()).toEqual([".git", ".gitmodules", "a", "module"]);
  expect(await readdir(join(folder, "module"))).toEqual([]);
  expect(await stateOf(top, [made.branch])).toBe(before);
  const inSubmodule = await createWorktree({ workspace: join(top, "module"), folder: join(around, "deep") });
  expect([inSubmodule.hasUncommitted, (await readdir(inSubmodule.root)).sort()]).toEqual([
    true,
    [".git", "inner", "more"],
  ]);
});

test("a merge with conflicts comes along as the files stand", async () => {
  const { top, folder } = await makeRepository();
  await git(top, "checkout", "--quiet", "-b", "other");
  await write(top, { a: "theirs\n" });
  await git(top, "commit", "--quiet", "--all", "--message=theirs");
  await git(top, "checkout", "--quiet", "main");
  await write(top, { a: "ours\n" });
  await git(top, "commit", "--quiet", "--all", "--message=ours");
  await git(top, "merge", "other").catch(() => {});
  const before = await stateOf(top);
  const { root, branch } = await createWorktree({ workspace: top, folder });
  expect(await readFile(join(root, "a"), "utf8")).toContain("<<<<<<<");
  expect(await stateOf(top, [branch])).toBe(before);
});

test("programs that the repository names are not run", async () => {
  const { top, folder, around } = await makeRepository();
  const trap = join(around, "trap");
  await writeFile(trap, `#!/bin/sh\necho "$0" >> '${around}/ran'\n`, { mode: 0o755 });
  for (const hook of [
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "pre-commit",
    "post-commit",
  ]) {
    await symlink(trap, join(top, ".git", "hooks", hook));
  }
  for (const key of ["core.fsmonitor", "core.editor", "core.pager", "diff.external", "gpg.program"]) {
    await git(top, "config", key, `'${trap}'`);
  }
  await git(top, "config", "commit.gpgSign", "true");
  // From here on it would be asked for what has changed.
  await git(top, "update-index", "--fsmonitor");
  await rm(join(around, "ran"), { force: true });
  await mkdir(join(top, "bin"));
  await symlink(trap, join(top, "bin", "git"));
  vi.stubEnv("PATH", `${join(top, "bin")}:.:${process.env.PATH}`);
  vi.stubEnv("GIT_DIR", "/nowhere");
  vi.stubEnv("GIT_INDEX_FILE", "/nowhere");
  try {
    const { hasUncommitted } = await createWorktree({ workspace: top, folder });
    expect(hasUncommitted).toBe(true);
  } finally {
    vi.unstubAllEnvs();
  }
  await expect(lstat(join(around, "ran"))).rejects.toThrow("ENOENT");
});

test("the author of a commit is as configured, or else Toolwright", async () => {
  const { top, folder, around } = await makeRepository();
  await write(top, { b: "1" });
  vi.stubEnv("HOME", around);
  vi.stubEnv("XDG_CONFIG_HOME", around);
  try {
    await createWorktree({ workspace: top, folder });
    await git(top, "config", "user.name", "Ada");
    await git(top, "config", "user.email", "ada@example.org");
    await createWorktree({ workspace: top, folder: `${folder}2` });
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await git(folder, "log", "-1", "--format=%an %ae %cn")).toBe(
    "Toolwright toolwright@localhost Toolwright\n",
  );
  expect(await git(`${folder}2`, "log", "-1", "--format=%an %ae %cn")).toBe("Ada ada@example.org Ada\n");
});

const many = fuzzRuns({ sample: 4, full: 20 });

test(`${many} at once all get a worktree and a branch of their own`, async () => {
  const { top, around } = await makeRepository();
  await write(top, { b: "1" });
  const made = await Promise.all(
    Array.from({ length: many }, (_, index) =>
      createWorktree({ workspace: top, folder: join(around, `tree${index}`, "same") }),
    ),
  );
  expect(new Set(made.map(({ branch }) => branch)).size).toBe(many);
  for (const { root, branch } of made) {
    expect(await git(root, "status", "--porcelain", "--branch")).toBe(`## ${branch}\n`);
  }
});

test("the same folder for several worktrees at once goes to one of them, which keeps it", async () => {
  const { top, folder } = await makeRepository();
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => createWorktree({ workspace: top, folder })));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "already-exists" },
  });
  expect(await git(folder, "status", "--porcelain")).toBe("");
});

test("a branch gets the name that was asked for, and is refused if that is not a valid name or is taken", async () => {
  const { top, folder, around } = await makeRepository();
  const made = await createWorktree({ workspace: top, folder, branch: "fix/a-b" });
  expect(made.branch).toBe("fix/a-b");
  const before = await snapshot(around, top);
  for (const [branch, code] of [
    ["fix/a-b", "already-exists"],
    ["main", "already-exists"],
    // Where `fix/a-b` is a branch, `fix` cannot be one.
    ["fix", "already-exists"],
    ["-d", "invalid-input"],
    ["", "invalid-input"],
    ["a b", "invalid-input"],
    ["a..b", "invalid-input"],
    ["@{-1}", "invalid-input"],
    ["a\nb", "invalid-input"],
    ["HEAD", "invalid-input"],
    // Git, or whoever reads it, would take it for something else.
    ["FETCH_HEAD", "invalid-input"],
    ["a/ORIG_HEAD", "invalid-input"],
    ["refs/heads/a", "invalid-input"],
    ["origin/main", "invalid-input"],
    ["deadbeef", "invalid-input"],
    ["main\u202e", "invalid-input"],
    ["m\u0430in", "invalid-input"],
  ] as const) {
    await expect(
      createWorktree({ workspace: top, folder: join(around, "x", "y"), branch }),
    ).rejects.toMatchObject({
      code,
    });
    expect(await snapshot(around, top)).toEqual(before);
  }
});

test("a branch named toolwright does not stand in the way", async () => {
  const { top, folder } = await makeRepository();
  await git(top, "branch", "toolwright");
  expect((await createWorktree({ workspace: top, folder })).branch).toBe("toolwright-child");
});

test("a worktree without a commit to begin at is refused with the reason, and leaves nothing", async () => {
  const around = await makeFolder();
  const folder = join(around, "trees", "x");
  await mkdir(join(around, "plain"));
  await git(around, "init", "--quiet", "new");
  await git(around, "init", "--quiet", "--bare", "bare");
  for (const [name, code, text] of [
    ["plain", "unsupported", "is not in a git repository"],
    ["bare", "unsupported", "bare repository"],
    ["new", "conflict", "has no commits yet"],
    ["new/.git", "unsupported", "bare repository"],
    ["missing", "not-found", "does not exist"],
  ] as const) {
    const failing = createWorktree({ workspace: join(around, name), folder });
    await expect(failing).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  }
  await mkdir(join(around, "programs"));
  vi.stubEnv("PATH", join(around, "programs"));
  try {
    const failing = createWorktree({ workspace: join(around, "plain"), folder });
    await expect(failing).rejects.toMatchObject({
      code: "unsupported",
      hint: expect.stringContaining("Install git"),
    });
  } finally {
    vi.unstubAllEnvs();
  }
  expect((await readdir(around)).sort()).toEqual(["bare", "new", "plain", "programs"]);
});

test("a folder that is there already, or in the repository's own, is refused and stays", async () => {
  const { top, folder, around } = await makeRepository();
  await write(folder, { mine: "1" });
  const before = await snapshot(around, top);
  await expect(createWorktree({ workspace: top, folder })).rejects.toMatchObject({ code: "already-exists" });
  const inside = join(top, ".git", "x", "y");
  await expect(createWorktree({ workspace: top, folder: inside })).rejects.toMatchObject({
    code: "invalid-input",
  });
  expect(await snapshot(around, top)).toEqual(before);
});

test("more than a gigabyte that is not committed is refused, with the name of the largest", async () => {
  const { top, folder, around } = await makeRepository();
  const handle = await import("node:fs/promises").then(({ open }) => open(join(top, "huge.bin"), "w"));
  // All holes: it takes no room on the disk.
  await handle.truncate(2 ** 30 + 1);
  await handle.close();
  const before = await snapshot(around, top);
  await expect(createWorktree({ workspace: top, folder })).rejects.toMatchObject({
    code: "too-large",
    message: expect.stringContaining("huge.bin"),
  });
  expect(await snapshot(around, top)).toEqual(before);
  await writeFile(join(top, ".git", "info", "exclude"), "huge.bin\n");
  expect((await createWorktree({ workspace: top, folder })).hasUncommitted).toBe(false);
});

test("a worktree that is given up at any moment leaves nothing", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`d${index % 50}/f${index}`, "x"]),
  );
  const { top, folder, around } = await makeRepository(files);
  await write(top, { b: "1" });
  const before = await snapshot(around, top);
  for (const delayMs of [0, 5, 15, 30, 45, 60, 75, 90, 120]) {
    const failing = createWorktree({ workspace: top, folder, signal: AbortSignal.timeout(delayMs) });
    const outcome = await failing.catch((error: Error) => error.name);
    if (outcome !== "TimeoutError") break;
    expect([delayMs, await snapshot(around, top)]).toEqual([delayMs, before]);
  }
});

test("a worktree inside the working tree is not part of it", async () => {
  const { top } = await makeRepository();
  const one = await createWorktree({ workspace: top, folder: join(top, "trees", "one") });
  await write(top, { b: "1" });
  const two = await createWorktree({ workspace: top, folder: join(top, "trees", "two") });
  expect([one.hasUncommitted, two.hasUncommitted]).toEqual([false, true]);
  expect(await git(two.folder, "ls-files")).toBe("a\nb\n");
});

test("a folder whose worktree was removed by hand can be used again", async () => {
  const { top, folder } = await makeRepository();
  await createWorktree({ workspace: top, folder });
  await rm(folder, { recursive: true });
  const again = await createWorktree({ workspace: top, folder });
  expect(again.branch).toBe("toolwright/child-2");
  expect(await readdir(folder)).toEqual([".git", "a"]);
});

/** All that could be left behind. */
async function snapshot(around: string, top: string) {
  const locks = (await readdir(join(top, ".git"), { recursive: true })).filter((name) =>
    name.endsWith(".lock"),
  );
  return {
    entries: (await readdir(around)).sort(),
    trees: (await readdir(join(around, "trees")).catch(() => [])).sort(),
    branches: await git(top, "for-each-ref", "--format=%(refname)"),
    worktrees: await git(top, "worktree", "list", "--porcelain"),
    registrations: await readdir(join(top, ".git", "worktrees")).catch(() => []),
    locks,
  };
}
