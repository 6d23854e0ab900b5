import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { findMounted } from "../../../src/machine/sandbox/bubblewrap/mount-table.ts";
import { needs } from "../../support/needs.ts";
import { programFile } from "../../support/programs/program-file.ts";
import { makeWorkspace, run, start, testInside } from "./inside.ts";

const starterFile = programFile(new URL("child-start-command.ts", import.meta.url));

testInside("the environment is as given, and bubblewrap itself has none of it", async () => {
  const { root, sandbox } = await makeWorkspace();
  const environment = {
    PATH: "/usr/bin:/bin",
    ODD: "a=b\n 'c'",
    EMPTY: "",
    LD_DEBUG: "help",
    TMPDIR: "/somewhere",
  };
  const wrapped = await sandbox.wrap(
    { file: "/usr/bin/env", args: ["-0"], environment },
    { profile: "workspace-write", directory: root },
  );
  await wrapped.release();
  await wrapped.finish?.();
  // Not empty: whoever ends commands takes a process without any variable for one that is just starting, and waits.
  expect(wrapped.environment).toEqual({ LANG: "C" });
  const { stdout } = await run(sandbox, "exec env -u SHLVL -u _ -0", {
    profile: "workspace-write",
    directory: root,
    environment: { ...environment, LD_DEBUG: "" },
  });
  expect(stdout.split("\0").filter(Boolean).sort()).toEqual(
    ["EMPTY=", "LD_DEBUG=", "ODD=a=b\n 'c'", "PATH=/usr/bin:/bin", `PWD=${root}`, "TMPDIR=/tmp"].sort(),
  );
});

testInside("a command gets no descriptor but its own", async () => {
  const { root, sandbox } = await makeWorkspace();
  const { stdout } = await run(sandbox, "cd /proc/self/fd; echo *", {
    profile: "read-only",
    directory: root,
  });
  expect(
    stdout
      .trim()
      .split(" ")
      .filter((number) => Number(number) > 3 && number !== "255"),
  ).toEqual([]);
});

testInside("a descriptor that our own parent left open does not reach a command", async () => {
  const { root } = await makeWorkspace();
  const starter = spawn(
    "/bin/bash",
    ["-c", 'exec 77</; exec "$0" "$@"', process.execPath, starterFile, root, "ls /proc/self/fd/77/ 2>&1"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  expect(await allOf(starter)).toContain("No such file");
});

testInside(
  "a command ends when the process that started it is killed, and one that is kept does not",
  async () => {
    const { root } = await makeWorkspace();
    for (const isKept of [false, true]) {
      const beat = join(root, `beat-${isKept}`);
      const command = `while sleep 0.02; do echo >> '${beat}'; done`;
      const starter = spawn(process.execPath, [starterFile, root, command, String(isKept)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      await waitUntil(async () => (await length(beat)) > 2);
      starter.kill("SIGKILL");
      await new Promise((resolve) => starter.once("close", resolve));
      if (isKept) {
        const then = await length(beat);
        await waitUntil(async () => (await length(beat)) > then + 2);
        // bubblewrap stays in the group it was started in, which is how one that is kept is stopped.
        for (const id of await runningWith(beat)) killGroup(id);
      }
      await waitUntil(async () => (await runningWith(beat)).length === 0);
    }
  },
  60_000,
);

testInside("processes that a command leaves running end with it", async () => {
  const { root, sandbox } = await makeWorkspace();
  const started = await start(sandbox, "setsid sleep 987654321 >/dev/null 2>&1 & echo $!", {
    profile: "workspace-write",
    directory: root,
  });
  expect((await started.ended).exitCode).toBe(0);
  await started.finish();
  await waitUntil(async () => (await runningWith("987654321")).length === 0);
  expect(await readdir(root)).toEqual([]);
});

testInside("a process that hides its mounts still counts as using its placeholders", async () => {
  const { root, sandbox } = await makeWorkspace();
  // 4 is PR_SET_DUMPABLE: its entry in /proc can then be read by root alone.
  const hiding =
    "syscall(157, 4, 0); open(F, '>', 'ready'); close F; until (-e 'go') { select(undef, undef, undef, 0.01) }";
  const box = { profile: "workspace-write", directory: root } as const;
  const started = await start(sandbox, `perl -e "${hiding}"; mkdir .idea`, box);
  await waitUntil(async () => (await readdir(root)).includes("ready"));
  expect(await findMounted([join(root, ".idea"), join(root, "other")])).toContain(join(root, ".idea"));
  await writeFile(join(root, "go"), "");
  expect((await started.ended).stderr).toContain("File exists");
  await started.finish();
  expect((await readdir(root)).sort()).toEqual(["go", "ready"]);
});

testInside("a process does not take away what another one is about to need", async () => {
  const { root, sandbox } = await makeWorkspace();
  const wrapped = await sandbox.wrap(
    { file: "/bin/true", args: [], environment: {} },
    { profile: "workspace-write", directory: root },
  );
  const other = spawn(process.execPath, [starterFile, root, "mkdir .vscode 2>&1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(await allOf(other)).toContain("File exists");
  expect(await readdir(root)).toContain(".vscode");
  await wrapped.release();
  await wrapped.finish?.();
  expect(await readdir(root)).toEqual([]);
});

const nobody = 65534;
const become = ["--reuid", String(nobody), "--regid", String(nobody), "--clear-groups"];
const testAsSomebodyElse = await needs("bubblewrap", "root", async () => {
  const reader = spawn("setpriv", [...become, process.execPath, "--check", starterFile], { stdio: "ignore" });
  await once(reader, "close");
  return reader.exitCode === 0 ? undefined : "somebody else cannot read this project";
});

testAsSomebodyElse("an ordinary user has the same sandbox", async () => {
  const { around, root } = await makeWorkspace();
  await Promise.all([around, root].map((folder) => chown(folder, nobody, nobody)));
  const command = "id -u; echo x > written; mkdir .vscode; touch /usr/x; ls /root; true";
  const starter = spawn("setpriv", [...become, process.execPath, starterFile, root, `${command} 2>&1`], {
    env: { PATH: "/usr/bin:/bin", HOME: around },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = await allOf(starter);
  expect(said).toMatch(/^65534\n/);
  expect(await readdir(root)).toEqual(["written"]);
});

function waitUntil(holds: () => Promise<boolean>): Promise<boolean> {
  return vi.waitUntil(holds, { timeout: 45_000, interval: 20 });
}

async function length(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

async function runningWith(text: string): Promise<number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return ids.filter((_, index) => lines[index]?.includes(text)).map(Number);
}

function killGroup(id: number): void {
  try {
    process.kill(-id, "SIGKILL");
  } catch {
    // Not the first of its group, or gone.
  }
}

async function allOf(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return text;
}
