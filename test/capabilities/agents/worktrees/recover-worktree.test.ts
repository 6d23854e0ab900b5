import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../../src/capabilities/agents/worktrees/finish-worktree.ts";
import {
  recoverWorktree,
  removeHalfMade,
} from "../../../../src/capabilities/agents/worktrees/remove-half-made.ts";
import type { Worktree } from "../../../../src/capabilities/agents/worktrees/worktree-record.ts";
import { fuzzRuns } from "../../../support/fuzz.ts";
import { programFile } from "../../../support/programs/program-file.ts";
import { until } from "../../../support/until.ts";
import { git, makeRepository, write } from "./make-repository.ts";

test("a worktree is found again by its folder alone, whatever branch is looked at in it", async () => {
  const { top, folder } = await makeRepository({ "sub/a": "1" });
  await write(top, { b: "1" });
  const worktree = await createWorktree({ workspace: join(top, "sub"), folder });
  await git(folder, "checkout", "--quiet", "-b", "other");
  expect(await recoverWorktree({ workspace: join(top, "sub"), folder })).toEqual(worktree);
});

test("a folder without a worktree of ours is left alone, and none is found there", async () => {
  const { top, folder, around } = await makeRepository();
  expect(await recoverWorktree({ workspace: top, folder })).toBeUndefined();
  await git(top, "worktree", "add", "--quiet", "--detach", folder);
  expect(await recoverWorktree({ workspace: top, folder })).toBeUndefined();
  expect(await readdir(folder)).toEqual([".git", "a"]);
  await write(join(around, "plain"), { mine: "1" });
  expect(await recoverWorktree({ workspace: top, folder: join(around, "plain") })).toBeUndefined();
  expect(await readdir(join(around, "plain"))).toEqual(["mine"]);
});

test("a worktree that a killed git left locked, which git itself refuses to remove, is removed", async () => {
  const { top, folder } = await makeRepository();
  await git(top, "worktree", "add", "--quiet", "--detach", "--no-checkout", folder);
  await writeFile(join(top, ".git", "worktrees", "child", "locked"), "initializing\n");
  await write(`${folder}.making`, { "toolwright-index-x/index": "" });
  expect(await recoverWorktree({ workspace: top, folder })).toBeUndefined();
  expect(await readdir(join(folder, ".."))).toEqual([]);
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
});

const maker = new URL("child-make-worktree.ts", import.meta.url);
const finisher = new URL("child-end-worktree.ts", import.meta.url);
const stride = fuzzRuns({ sample: 11, full: 1 });

test("a worktree whose maker is killed at any git command can be recovered, finished, and made again in the same place", async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, "x"]));
  const { top, folder, around } = await makeRepository(files);
  await write(top, { b: "1" });
  for (let at = 1; await isKilled(maker, [top, folder], { around, at }); at += stride) {
    await gitsEnded(top);
    const left = await recoverWorktree({ workspace: top, folder });
    if (left !== undefined) await finishWorktree(left, { message: "nothing" });
    expect(await readdir(join(folder, "..")).catch(() => [])).toEqual([]);
    expect((await git(top, "worktree", "list")).trim().split("\n")).toHaveLength(1);
    // It would hold what was uncommitted, for anybody who pushes.
    expect((await git(top, "branch", "--list")).trim()).toBe("* main");
    const again = await createWorktree({ workspace: top, folder });
    expect(await readFile(join(again.root, "b"), "utf8")).toBe("1");
    await finishWorktree(again, { message: "nothing" });
  }
});

test("a branch that its maker made in the last moment goes with the rest, with what was uncommitted", async () => {
  const { top, folder, around } = await makeRepository();
  await write(top, { b: "1" });
  const branches = `git --git-dir='${top}/.git' for-each-ref refs/heads`;
  const script = `#!/bin/sh
PATH=\${PATH#*:}
git "$@"
code=$?
[ "$(env -i PATH="$PATH" ${branches} | wc -l)" -gt 1 ] && kill -KILL $PPID
exit $code
`;
  expect(await isKilledBy(script, maker, { words: [top, folder], programs: join(around, "programs") })).toBe(
    true,
  );
  await gitsEnded(top);
  expect((await git(top, "branch", "--list")).trim().split("\n")).toHaveLength(2);
  await removeHalfMade({ workspace: top, folder: dirname(folder) });
  expect((await git(top, "branch", "--list")).trim()).toBe("* main");
  expect(await readdir(dirname(folder)).catch(() => [])).toEqual([]);
});

test("a worktree whose finisher is killed at any git command is finished by another, with all of the work and nothing else", async () => {
  const { top, folder, around } = await makeRepository();
  for (let at = 1, wasKilled = true; wasKilled; at += stride) {
    const worktree = await createWorktree({ workspace: top, folder });
    await write(worktree.root, { work: String(at) });
    wasKilled = await isKilled(finisher, [JSON.stringify(worktree)], { around, at });
    await expectFinished(worktree, { top, work: String(at) });
  }
});

test("a worktree whose finisher is killed while it removes the files is finished by another", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`d${index % 50}/f${index}`, "x"]),
  );
  const { top, folder } = await makeRepository(files);
  const worktree = await createWorktree({ workspace: top, folder });
  await write(worktree.root, { work: "done" });
  const child = start(finisher, [JSON.stringify(worktree)]);
  const watcher = watch(folder, () => child.kill("SIGKILL"));
  await once(child, "exit");
  watcher.close();
  await expectFinished(worktree, { top, work: "done" });
});

async function expectFinished(
  worktree: Worktree,
  { top, work }: { top: string; work: string },
): Promise<void> {
  expect(await finishWorktree(worktree, { message: "What was done" })).toMatchObject({
    branch: worktree.branch,
    files: [{ path: "work", change: "added" }],
  });
  expect(await git(top, "show", `${worktree.branch}:work`)).toBe(work);
  await expect(readdir(worktree.folder)).rejects.toThrow("ENOENT");
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
}

/**
 * Lets a program of ours work that is killed when it calls git for this time; every second time git goes on without it.
 * Tells whether it called git so often.
 */
async function isKilled(
  program: URL,
  words: readonly string[],
  { around, at }: { around: string; at: number },
): Promise<boolean> {
  const programs = join(around, `programs ${at}`);
  const script = `#!/bin/sh
echo >> '${programs}/calls'
if [ "$(wc -l < '${programs}/calls')" -eq ${at} ]; then kill -KILL $PPID; ${at % 2 === 0 ? "" : "exit 1"}
fi
PATH=\${PATH#*:} exec git "$@"
`;
  return isKilledBy(script, program, { words, programs });
}

async function isKilledBy(
  script: string,
  program: URL,
  { words, programs }: { words: readonly string[]; programs: string },
): Promise<boolean> {
  await mkdir(programs);
  await writeFile(join(programs, "git"), script, { mode: 0o755 });
  const child = start(program, words, { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` });
  const [exitCode, signal] = await once(child, "exit");
  if (signal === null) expect(exitCode).toBe(0);
  return signal === "SIGKILL";
}

function start(program: URL, words: readonly string[], env = process.env) {
  return spawn(process.execPath, [programFile(program), ...words], {
    stdio: ["ignore", "ignore", "inherit"],
    env,
  });
}

/** A git that was running goes on when whoever started it is killed. */
async function gitsEnded(top: string): Promise<void> {
  await until(async () => {
    const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
    const environments = await Promise.all(
      ids.map((id) => readFile(`/proc/${id}/environ`, "utf8").catch(() => "")),
    );
    return !environments.some((text) => text.includes(`GIT_DIR=${top}`));
  });
}
