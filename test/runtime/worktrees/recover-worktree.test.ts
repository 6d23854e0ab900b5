import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createWorktree } from "../../../src/runtime/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../src/runtime/worktrees/finish-worktree.ts";
import { recoverWorktree } from "../../../src/runtime/worktrees/recover-worktree.ts";
import { git, makeRepository, write } from "./make-repository.ts";

test("a worktree is found again by its folder alone, whatever branch is looked at in it", async () => {
  const { top, folder } = await makeRepository({ "sub/a": "1" });
  await write(top, { b: "1" });
  const worktree = await createWorktree({ workspace: join(top, "sub"), folder });
  await git(folder, "checkout", "--quiet", "-b", "other");
  expect(await recoverWorktree({ workspace: join(top, "sub"), folder })).toEqual(worktree);
});

test("nothing is found, and nothing touched, where there is none of ours", async () => {
  const { top, folder, around } = await makeRepository();
  expect(await recoverWorktree({ workspace: top, folder })).toBeUndefined();
  await git(top, "worktree", "add", "--quiet", "--detach", folder);
  expect(await recoverWorktree({ workspace: top, folder })).toBeUndefined();
  expect(await readdir(folder)).toEqual([".git", "a"]);
  await write(join(around, "plain"), { mine: "1" });
  expect(await recoverWorktree({ workspace: top, folder: join(around, "plain") })).toBeUndefined();
  expect(await readdir(join(around, "plain"))).toEqual(["mine"]);
});

test("one that git was killed over, which git itself refuses to remove, is taken away", async () => {
  const { top, folder } = await makeRepository();
  await git(top, "worktree", "add", "--quiet", "--detach", "--no-checkout", folder);
  await writeFile(join(top, ".git", "worktrees", "child", "locked"), "initializing\n");
  await write(`${folder}.making`, { "toolwright-index-x/index": "" });
  expect(await recoverWorktree({ workspace: top, folder })).toBeUndefined();
  expect(await readdir(join(folder, ".."))).toEqual([]);
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
});

test("whenever its maker is killed, it can be recovered and finished, and made again in the same place", async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, "x"]));
  const { top, folder } = await makeRepository(files);
  await write(top, { b: "1" });
  const program = fileURLToPath(new URL("make-worktree.ts", import.meta.url));
  for (const afterMs of [20, 60, 100, 140, 180, 250, 400]) {
    const child = spawn(process.execPath, [program, top, folder], { stdio: ["ignore", "pipe", "inherit"] });
    const closed = once(child, "exit");
    await once(child.stdout, "data");
    await sleep(afterMs);
    child.kill("SIGKILL");
    await closed;
    await gitsEnded(top);
    const left = await recoverWorktree({ workspace: top, folder });
    if (left !== undefined) await finishWorktree(left, { message: "nothing" });
    expect(await readdir(join(folder, "..")).catch(() => [])).toEqual([]);
    expect((await git(top, "worktree", "list")).trim().split("\n")).toHaveLength(1);
    const again = await createWorktree({ workspace: top, folder });
    expect(await readFile(join(again.root, "b"), "utf8")).toBe("1");
    await finishWorktree(again, { message: "nothing" });
  }
});

test("whenever its finisher is killed, another one finishes it at once, with all of the work and nothing else", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`d${index % 50}/f${index}`, "x"]),
  );
  const { top, folder } = await makeRepository(files);
  const program = fileURLToPath(new URL("end-worktree.ts", import.meta.url));
  for (const afterMs of [0, 80, 160, 240, 320]) {
    const worktree = await createWorktree({ workspace: top, folder });
    await write(worktree.root, { work: String(afterMs) });
    const child = spawn(process.execPath, [program, JSON.stringify(worktree)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "exit");
    await once(child.stdout, "data");
    await sleep(afterMs);
    child.kill("SIGKILL");
    await closed;
    expect(await finishWorktree(worktree, { message: "What was done" })).toMatchObject({
      branch: worktree.branch,
      files: [{ path: "work", change: "added" }],
    });
    expect(await git(top, "show", `${worktree.branch}:work`)).toBe(String(afterMs));
    await expect(readdir(folder)).rejects.toThrow("ENOENT");
    expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
  }
});

/** A git that was running goes on when whoever started it is killed. */
async function gitsEnded(top: string): Promise<void> {
  for (;;) {
    const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
    const environments = await Promise.all(
      ids.map((id) => readFile(`/proc/${id}/environ`, "utf8").catch(() => "")),
    );
    if (!environments.some((text) => text.includes(`GIT_DIR=${top}`))) return;
    await sleep(10);
  }
}
