import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeGuestEnd, usualLimits } from "../../../src/capabilities/made/guest/guest-process.ts";
import { findCandidates, openControlGroup } from "../../../src/machine/child/control-group.ts";
import { startConfined } from "../../../src/machine/child/start-confined.ts";
import { bashGuest } from "../../capabilities/made/guest/bash-guest.ts";
import { needs } from "../../support/needs.ts";

const limits = { maxMemoryBytes: 60 * 2 ** 20, maxTasks: 100 };
const testGroups = await needs(async () => {
  const group = await openControlGroup(limits);
  await group?.remove();
  return group === undefined ? "this user may make no control groups" : undefined;
});

/** Nothing counts what it uses: only the kernel is left to hold it. */
async function startUnwatched(script: string) {
  const parts = bashGuest(script, { maxMemoryBytes: limits.maxMemoryBytes });
  const running = await startConfined({ args: [], hasChannel: true }, { ...parts, describe: () => "ended" });
  onTestFinished(running.end);
  await running.peer.ask("go", null);
  return running;
}

testGroups("a tool's processes are in a group of their own, which is gone when they are", async () => {
  const running = await startUnwatched("read -r _ <&3");
  const membership = await readFile(`/proc/${running.pid}/cgroup`, "utf8");
  const [, name = ""] = new RegExp(`/(toolwright-${process.pid}-\\d+)$`, "m").exec(membership) ?? [];
  const folders = (await parents()).map((parent) => join(parent, name));
  expect(await areThere(folders)).toEqual(folders.map(() => true));
  await running.end();
  expect(await areThere(folders)).toEqual(folders.map(() => false));
});

testGroups(
  "a tool that takes more memory than it may is killed by the kernel, and the reason is told",
  async () => {
    const { ended } = await startUnwatched(
      `x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo "\${#x}" >&3`,
    );
    const describe = describeGuestEnd({ ...usualLimits, ...limits });
    expect(describe(await ended, "").message).toBe("the tool was ended: it used more than 60 MB of memory");
  },
);

testGroups("groups that a killed process has left behind are removed", async () => {
  const gone = spawn("true");
  await once(gone, "exit");
  const folders = (await parents()).map((parent) => join(parent, `toolwright-${gone.pid}-1`));
  for (const folder of folders) await mkdir(folder);
  const inAnotherProcess = "../../../src/machine/child/control-group.ts?another";
  const { openControlGroup: open }: { openControlGroup: typeof openControlGroup } = await import(
    inAnotherProcess
  );
  await (await open(limits))?.remove();
  expect(await areThere(folders)).toEqual(folders.map(() => false));
});

test.each([
  ["version 2", "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw", "0::/user.slice/app.scope"],
  [
    "version 2 in a container",
    "30 24 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup rw",
    "0::/docker/1/user.slice/app.scope",
  ],
])("the control group search finds the group of this process: %s", (_, mounts, memberships) => {
  expect(findCandidates(mounts, memberships)).toEqual({ unified: "/sys/fs/cgroup/user.slice/app.scope" });
});

test("the control group search finds the groups of this process where each bound has a hierarchy of its own", () => {
  const mounts = [
    "30 24 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
    "31 24 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
    "32 24 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct",
  ].join("\n");
  expect(findCandidates(mounts, "4:memory:/a\n3:pids:/b\n2:cpu,cpuacct:/")).toEqual({
    memory: "/sys/fs/cgroup/memory/a",
    pids: "/sys/fs/cgroup/pids/b",
  });
});

/** Where the groups of tools are made. */
async function parents(): Promise<string[]> {
  const group = (await openControlGroup(limits))!;
  await group.remove();
  return group.doors.map((door) => join(door, "../.."));
}

function areThere(paths: readonly string[]): Promise<boolean[]> {
  return Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
}
