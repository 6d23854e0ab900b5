import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endLeftovers, endProcessTree } from "../../../src/machine/child/process-tree.ts";
import { markerVariable, sandboxVariable } from "../../../src/shared/process-environment.ts";
import { identityOf } from "../../../src/shared/process-identity.ts";
import { fuzzRuns } from "../../support/fuzz.ts";
import { openShell, type TestShell } from "../../support/open-shell.ts";
import { pass } from "../../support/pass.ts";
import { until } from "../../support/until.ts";

let shell: TestShell;
beforeEach(async () => {
  shell = await openShell();
});
afterEach(() => shell.close());

describe("stopping a command ends", () => {
  test.each([
    ["itself", "echo ready; sleep 1000", 1],
    ["its children and theirs", "(sleep 1000 | (sleep 1000 & sleep 1000)) & echo ready; wait", 4],
    [
      "what has a session of its own",
      "setsid sleep 1000 & setsid bash -c 'sleep 1000; :' & echo ready; wait",
      3,
    ],
    ["what forked twice", "(setsid nohup sleep 1000 >/dev/null 2>&1 &) ; echo ready; wait; sleep 1000", 2],
    ["what forgot its environment", "env -i setsid bash -c 'sleep 1000; :' & echo ready; wait", 3],
    ["what is stopped", "sleep 1000 & kill -STOP $!; echo ready; wait", 2],
  ])("%s", async (_, command, atLeast) => {
    const running = await shell.start(command);
    await until(() => running.output().stdout.text === "ready\n");
    await until(async () => (await descendants(running.identity.pid)).length >= atLeast - 1);
    const pids = [running.identity.pid, ...(await descendants(running.identity.pid))];
    await running.stop();
    expect(await shell.survivors()).toEqual([]);
    expect(await running.ended).toMatchObject({ signal: "SIGTERM", leftOpen: false });
    for (const pid of pids) expect(await stateOf(pid)).toMatch(/gone|Z of 1/);
  });

  test("what does not want to, by force, after it had the time to", async () => {
    const command = "trap 'echo asked' TERM; echo ready; while :; do sleep 1000 & wait $!; done";
    const running = await shell.start(command);
    await until(() => running.output().stdout.text === "ready\n");
    const startedAt = performance.now();
    await running.stop();
    expect(performance.now() - startedAt).toBeGreaterThan(4900);
    expect(await running.ended).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(running.output().stdout.text).toMatch(/^ready\n(?:asked\n)+$/);
    expect(await shell.survivors()).toEqual([]);
  });

  test("nothing before a command that cleans up has done so", async () => {
    const running = await shell.start(
      "trap 'sleep 0.2; echo cleaned; exit 3' TERM; echo ready; sleep 1000 & wait",
    );
    await until(() => running.output().stdout.text === "ready\n");
    await running.stop();
    expect(await running.ended).toMatchObject({ exitCode: 3, signal: null });
    expect(running.output().stdout.text).toBe("ready\ncleaned\n");
  });

  test("what its shell was just starting, at once", async () => {
    // The shell gets SIGTERM while it starts a program, in some of them, and waits for that program all the same.
    for (let round = 0; round < fuzzRuns({ sample: 12, full: 400 }); round++) {
      const running = await shell.start(`sleep 1000; : "${round}"`);
      await running.stop();
      // Otherwise it is ended by force, seconds later.
      expect(await running.ended).toMatchObject({ signal: "SIGTERM" });
    }
  });

  test("what takes longer than the command itself, and nothing is left open then", async () => {
    const running = await shell.start(
      "(trap 'sleep 0.5; echo cleaned; exit' TERM; echo ready; while :; do sleep 0.01; done) & wait",
    );
    await until(() => running.output().stdout.text === "ready\n");
    await running.stop();
    expect(await running.ended).toMatchObject({ signal: "SIGTERM", leftOpen: false });
    expect(running.output().stdout.text).toBe("ready\ncleaned\n");
  });

  test("what keeps on starting more of itself", async () => {
    const command =
      "f() { for i in 1 2 3 4; do (sleep 0.02; ((n++ < 3)) && f; sleep 1000) & done; }; n=0; f; echo ready; wait";
    const running = await shell.start(command);
    await until(() => running.output().stdout.text === "ready\n");
    await running.stop();
    expect(await shell.survivors()).toEqual([]);
  });

  test("what a command left behind after its own end", async () => {
    const running = await shell.start("setsid sleep 1000 & sleep 1000 & echo done");
    expect(await running.ended).toMatchObject({ exitCode: 0, leftOpen: true });
    await until(async () => (await shell.survivors()).length === 2);
    await running.stop();
    expect(await shell.survivors()).toEqual([]);
  });

  test("nothing else, and nothing twice", async () => {
    const other = await shell.start("sleep 1000");
    const stranger = spawn("sleep", ["1000"], { stdio: "ignore" });
    const running = await shell.start("sleep 1000");
    await Promise.all([running.stop(), running.stop()]);
    await running.stop();
    expect(await stateOf(other.identity.pid)).not.toMatch(/gone|Z/);
    expect(stranger.exitCode).toBeNull();
    stranger.kill("SIGKILL");
    await other.stop();
  });
});

test("a process that was given the number of an ended one is left alone", async () => {
  const innocent = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const { pid, startedAt } = await identityOf(innocent.pid!);
  const leader = { pid, startedAt: String(Number(startedAt) - 1) };
  expect(await endProcessTree({ leader, marker: "none.of-these" })).toBe(true);
  expect(await stateOf(pid)).not.toMatch(/gone|Z/);
  innocent.kill("SIGKILL");
});

test("the leftovers of one owner are found by their marker, those of others are not touched", async () => {
  const mine = await shell.start("setsid sleep 1000 & echo done", { marker: "session-1" });
  const theirs = await shell.start("setsid sleep 1000 & echo done", { marker: "session-11" });
  await Promise.all([mine.ended, theirs.ended]);
  await until(async () => (await shell.survivors()).length === 2);
  expect(await endLeftovers("session-1")).toBe(true);
  expect(await shell.survivors()).toHaveLength(1);
  expect(await endLeftovers("session-11")).toBe(true);
  expect(await shell.survivors()).toEqual([]);
});

// As bubblewrap is, while it makes ready for a command whose runtime was killed in that moment.
test("a sandbox that is about to start a command of a dead owner is a leftover, too", async () => {
  const start = (owner: string) =>
    spawn("sleep", ["1000"], {
      detached: true,
      stdio: "ignore",
      env: { [sandboxVariable]: `${owner}.command` },
    });
  const [mine, theirs] = [start("session-1"), start("session-11")];
  const ended = once(mine, "exit");
  expect(await endLeftovers("session-1")).toBe(true);
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(await stateOf(theirs.pid!)).not.toMatch(/gone|Z/);
  theirs.kill("SIGKILL");
});

test("a program in such a sandbox has the time to clean up", async () => {
  const cleaning = `trap "touch cleaned; exit" TERM; echo ready; while :; do sleep 0.01; done`;
  const confined = spawn("bash", ["-c", `${markerVariable}=session-1.command bash -c '${cleaning}'; :`], {
    cwd: shell.folder,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH ?? "", [sandboxVariable]: "session-1.command" },
  });
  await once(confined.stdout, "data");
  expect(await endLeftovers("session-1")).toBe(true);
  expect(await readdir(shell.folder)).toContain("cleaned");
});

test("commands stopped at any instant leave no zombie and no orphan", async () => {
  const command =
    "(setsid sleep 1000 &); (sleep 1000; :) & for i in 1 2 3; do echo $i; sleep 0.01; done; wait";
  const rounds = Array.from({ length: 24 }, (_, round) => round);
  // Other tests run in this process too; what they left behind is not what is tested here.
  const before = new Set(await zombies());
  const pids = await Promise.all(
    rounds.map(async (round) => {
      const running = await shell.start(command);
      await pass((round * 7) % 50);
      await running.stop();
      await running.ended;
      return running.identity.pid;
    }),
  );
  expect(await shell.survivors()).toEqual([]);
  for (const pid of pids) expect(await stateOf(pid)).toBe("gone");
  // A process that has just ended still has to be waited for.
  await until(async () => (await zombies()).every((pid) => before.has(pid)));
});

/** `gone`, or the state letter and the parent. */
async function stateOf(pid: number): Promise<string> {
  const line = await readFile(join("/proc", String(pid), "stat"), "utf8").catch(() => undefined);
  if (line === undefined) return "gone";
  const [state, parent] = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return `${state} of ${parent}`;
}

async function pidsWhere(test: (state: string) => boolean): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const states = await Promise.all(pids.map(stateOf));
  return pids.filter((_, index) => test(states[index]!));
}

/** Zombie children of this process. */
function zombies(): Promise<number[]> {
  return pidsWhere((state) => state === `Z of ${process.pid}`);
}

async function descendants(pid: number): Promise<number[]> {
  const children = await pidsWhere((state) => state.endsWith(` of ${pid}`));
  const further = await Promise.all(children.map(descendants));
  return [...children, ...further.flat()];
}
