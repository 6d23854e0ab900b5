import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../../src/capabilities/agents/worktrees/finish-worktree.ts";
import {
  recoverWorktree,
  removeHalfMade,
} from "../../../../src/capabilities/agents/worktrees/remove-half-made.ts";
import { casesOf, fuzzRuns } from "../../../support/fuzz.ts";
import { programFile } from "../../../support/programs/program-file.ts";
import { git, makeRepository, write } from "./make-repository.ts";
import { replaceGit } from "./replace-git.ts";

const message = "What was done";

test("the folder for worktrees that others take away when it is empty is made again", async () => {
  const { top, folder } = await makeRepository();
  let timesLeft = 20;
  repeat(async () => {
    if (timesLeft === 0) return "over";
    await rmdir(dirname(folder));
    timesLeft -= 1;
  });
  for (let round = 0; round < 3; round++) {
    const worktree = await createWorktree({ workspace: top, folder });
    await finishWorktree(worktree, { message });
  }
});

test("git's own folder for worktrees, taken away by another when it is empty, is made again", async () => {
  for (let round = 0; round < fuzzRuns({ sample: 2, full: 10 }); round++) {
    const { top, folder } = await makeRepository();
    // In a process of its own it is fast enough; it ends when it has taken it away once.
    const script = "for (;;) try { fs.rmdirSync(process.argv[1]); break } catch {}";
    const remover = spawn(process.execPath, ["-e", script, join(top, ".git", "worktrees")]);
    const ended = once(remover, "exit");
    await createWorktree({ workspace: top, folder }).finally(() => remover.kill());
    // Ended by itself.
    if ((await ended)[0] === 0) return;
  }
});

test("leftovers of killed makers may be cleared away by several processes at once", async () => {
  const { top, folder } = await makeRepository();
  const mark = `${folder}.making`;
  await mkdir(dirname(folder));
  repeat(async () => {
    await mkdir(mark);
    await rmdir(mark);
  });
  for (let round = 0; round < fuzzRuns({ sample: 10, full: 300 }); round++)
    await removeHalfMade({ workspace: top, folder: dirname(folder) });
});

test("callers that finish or recover a worktree at the same time all get the same outcome", async () => {
  for (const files of casesOf<Record<string, string>>({
    sample: [{ c: "1" }],
    full: [{ c: "1" }, {}, { c: "1" }],
  })) {
    const { top, folder } = await makeRepository();
    const worktree = await createWorktree({ workspace: top, folder });
    await write(worktree.root, files);
    const finish = async (_: unknown, index: number) => {
      // One after the other, so that some find what others are taking away.
      for (let at = 0; at < index; at++) await git(top, "rev-parse", "HEAD");
      const found = index % 2 === 0 ? worktree : await recoverWorktree({ workspace: top, folder });
      return finishWorktree(found ?? worktree, { message });
    };
    const all = await Promise.all(Array.from({ length: fuzzRuns({ sample: 6, full: 12 }) }, finish));
    for (const one of all) expect(one).toEqual(all[0]);
    expect(all[0]?.files.map(({ path }) => path)).toEqual(Object.keys(files));
    expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
  }
});

const many = fuzzRuns({ sample: 4, full: 20 });

test(`${many} are finished at once`, async () => {
  const { top, around } = await makeRepository();
  const made = await Promise.all(
    Array.from({ length: many }, (_, index) =>
      createWorktree({ workspace: top, folder: join(around, `t${index}`) }),
    ),
  );
  await Promise.all(made.map(({ root }, index) => write(root, { [`file${index}`]: "1" })));
  const finished = await Promise.all(made.map((worktree) => finishWorktree(worktree, { message })));
  expect(finished.map(({ files }) => files[0]?.path)).toEqual(made.map((_, index) => `file${index}`));
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
});

test("work on two lines, finished by many at the same time, is on two branches and no more", async () => {
  const { top, folder } = await makeRepository();
  const worktree = await createWorktree({ workspace: top, folder });
  await write(worktree.root, { b: "1" });
  await git(worktree.root, "add", "--all");
  await git(worktree.root, "commit", "--quiet", "--message=first line");
  await git(worktree.root, "checkout", "--quiet", "--detach", worktree.base);
  await write(worktree.root, { c: "1" });
  await Promise.all(
    Array.from({ length: fuzzRuns({ sample: 4, full: 8 }) }, () => finishWorktree(worktree, { message })),
  );
  const branches = await git(top, "for-each-ref", "--format=%(refname:short)", "refs/heads/toolwright");
  expect(branches).toBe("toolwright/child\ntoolwright/child-2\n");
  expect(await git(top, "ls-tree", "--name-only", "toolwright/child-2")).toBe("a\nc\n");
});

test("files that appear beside git's own during a removal do not stop it", async () => {
  const { top, folder } = await makeRepository();
  const worktree = await createWorktree({ workspace: top, folder });
  const registration = join(top, ".git", "worktrees", "child");
  let isFinished = false;
  const writeOn = async () => {
    for (let count = 0; !isFinished; count += 1) {
      await writeFile(join(registration, `index.${count % 50}`), "").catch(() => {});
    }
  };
  const writers = Array.from({ length: 8 }, writeOn);
  await finishWorktree(worktree, { message }).finally(() => {
    isFinished = true;
  });
  await Promise.all(writers);
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
});

test("a branch that another process makes while the work is committed under its name is left alone", async () => {
  const { top, folder, around } = await makeRepository();
  const worktree = await createWorktree({ workspace: top, folder });
  await git(worktree.root, "checkout", "--quiet", "--detach");
  await git(top, "branch", "--quiet", "--delete", "--force", worktree.branch);
  await write(worktree.root, { c: "1" });
  const theirs = `env -u GIT_DIR -u GIT_WORK_TREE "$git" -C '${top}' branch '${worktree.branch}' ${worktree.base}`;
  await replaceGit(around, `case "$*" in *" commit-tree "*) ${theirs} ;; esac`);
  const { branch } = await finishWorktree(worktree, { message });
  expect(branch).toBe(`${worktree.branch}-2`);
  expect((await git(top, "rev-parse", worktree.branch)).trim()).toBe(worktree.base);
  expect(await git(top, "show", `${branch}:c`)).toBe("1");
});

test("a process that sees half of the files removed, and then the whole worktree gone, commits nothing", async () => {
  const { top, folder, around } = await makeRepository({ a: "a", b: "b" });
  const worktree = await createWorktree({ workspace: top, folder });
  const registration = join(top, ".git", "worktrees", "child");
  // Another one takes away a file before it is looked at, and the rest when it has been committed.
  await replaceGit(
    around,
    `case "$*" in
      *" diff-files "*) rm -f '${folder}/a' ;;
      *" commit-tree "*) "$git" "$@"; mv '${registration}' '${around}/taken away'; rm -r '${folder}'; exit ;;
    esac`,
  );
  expect(await finishWorktree(worktree, { message })).toMatchObject({ isBranchKept: false, files: [] });
});

test("a git that is ended before it has written down what it makes leaves nothing", async () => {
  for (const [state, signal] of [
    ["", "TERM"],
    ["echo initializing > child/locked", "KILL"],
  ]) {
    const { top, folder, around } = await makeRepository();
    const script = `case "$*" in *" worktree add "*) cd "$GIT_DIR" && mkdir -p worktrees/child && cd worktrees
      ${state}
      kill -${signal} $$ ;; esac`;
    await replaceGit(around, script);
    await expect(createWorktree({ workspace: top, folder })).rejects.toMatchObject({ code: "conflict" });
    expect((await readdir(around)).sort()).toEqual(["programs", "repository"]);
    expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
  }
});

test("in many processes, worktrees are made and finished beside each other, each with its own work", async () => {
  const { top, around } = await makeRepository();
  const program = programFile(new URL("child-churn-worktrees.ts", import.meta.url));
  const ends = ["a", "b", "c"].map(async (name) => {
    const child = spawn(process.execPath, [program, top, join(around, "trees"), name], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const [exitCode] = await once(child, "close");
    return [exitCode, said];
  });
  expect(await Promise.all(ends)).toEqual([
    [0, ""],
    [0, ""],
    [0, ""],
  ]);
  const branches = await git(top, "for-each-ref", "--format=%(refname:short)", "refs/heads/toolwright");
  for (const branch of branches.trim().split("\n")) {
    expect(await git(top, "show", `${branch}:work`)).toBe(branch.replace("toolwright/", ""));
  }
  expect(branches.trim().split("\n")).toHaveLength(9);
  expect(await readFile(join(top, "a"), "utf8")).toBe("a\n");
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
});

/** Does something again and again until the test has ended, as others would at any moment. */
function repeat(step: () => Promise<unknown>): void {
  let isOver = false;
  const running = (async () => {
    while (!isOver && (await step().catch(() => {})) !== "over");
  })();
  onTestFinished(async () => {
    isOver = true;
    await running;
  });
}
