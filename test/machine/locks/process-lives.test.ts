import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLives } from "../../../src/machine/locks/process-lives.ts";
import { startChild } from "../../kernel/store/child.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

test("a process is alive for others until it is killed, or says that it has ended", async () => {
  const file = join(await temporaryFolder(), "store");
  const child = startChild(new URL("child-live.ts", import.meta.url), [file]);
  const [own, other] = [openLives(file), openLives(file)];
  const theirs = await child.nextLine();
  expect([theirs, own.own, other.own].map((life) => own.isAlive(life))).toEqual([true, true, true]);
  expect(["nobody", "../store", ""].map((life) => own.isAlive(life))).toEqual([false, false, false]);
  await child.kill();
  const ended = other.own;
  other.close();
  expect([theirs, own.own, ended].map((life) => own.isAlive(life))).toEqual([false, true, false]);
  own.close();
});

test("files are created when they are needed, and those of dead processes go with the next process that needs some", async () => {
  const folder = await temporaryFolder();
  const lives = openLives(join(folder, "store"));
  expect(lives.isAlive("nobody")).toBe(false);
  lives.close();
  expect(await readdir(folder)).toEqual([]);
  const first = openLives(join(folder, "store"));
  const { own } = first;
  for (const name of ["dead.lock", "half.new"]) await writeFile(join(folder, "store-lives", name), "");
  const second = openLives(join(folder, "store"));
  const names = [own, second.own].map((life) => `${life}.lock`).sort();
  expect((await readdir(join(folder, "store-lives"))).sort()).toEqual(names);
  first.close();
  second.close();
  expect(await readdir(join(folder, "store-lives"))).toEqual([]);
});
