import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Sandbox, SandboxProfile } from "../../../src/machine/sandbox/sandbox.ts";
import { fuzzRuns } from "../../support/fuzz.ts";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";
import { makeWorkspace, run, start, testInside } from "./inside.ts";

/**
 * What a process outside can do between the moment a folder was looked at and the start of the command. Another folder in
 * its place is not among them: whoever renames folders outside has had the same effect the moment before.
 */
const exchanges: Record<string, (root: string) => Promise<void>> = {
  "a folder above it is moved": (root) => rename(join(root, "p"), join(root, "moved")),
  "a folder above it is moved, and a link to it takes its place": async (root) => {
    await rename(join(root, "p"), join(root, "moved"));
    await symlink("moved", join(root, "p"));
  },
  "a folder above it is moved, and a link out takes its place": async (root) => {
    await rename(join(root, "p"), join(root, "moved"));
    await mkdir(join(root, "../elsewhere/q/sec"), { recursive: true });
    await symlink("../elsewhere", join(root, "p"));
  },
  "the whole workspace is moved, and a link takes its place": async (root) => {
    await rename(root, `${root} moved`);
    await symlink(`${root} moved`, root);
  },
};

for (const [what, exchangeNow] of Object.entries(exchanges)) {
  testInside(`a command whose sandbox was made for other folders does not run: ${what}`, async () => {
    for (const profile of profiles) {
      const { root, sandbox } = await makeWorkspace();
      await mkdir(join(root, "p/q/sec"), { recursive: true });
      await writeFile(join(root, "p/q/sec/k.txt"), "HIDDEN");
      const box = { profile, directory: "/", hidden: [join(root, "p/q/sec")] } as const;
      const { stdout, stderr, exitCode } = await run(
        { ...sandbox, wrap: (...given) => sandbox.wrap(...given).finally(() => exchangeNow(root)) },
        "echo ran; cat /*/*/*/*/*/sec/k.txt /*/*/*/*/*/*/sec/k.txt",
        box,
      );
      expect({ stdout, exitCode }).toEqual({
        stdout: "",
        exitCode: expect.not.toSatisfy((code) => code === 0),
      });
      expect(stderr).toMatch(/was not run|bwrap: Can't/);
    }
  });
}

const testExchanging = await needs("bubblewrap", "perl");
testInside("a command does not run if a mount went astray, wherever another one went", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  await mkdir(join(root, "y/.husky"), { recursive: true });
  await mkdir(join(around, "outside/.husky"), { recursive: true });
  await writeFile(join(around, "outside/key"), "OUTSIDE");
  const box = { profile: "workspace-write", directory: root } as const;
  // Such a folder instead of /proc tells a shell in there that all is well.
  const { stdout: table } = await run(sandbox, "cat /proc/self/mountinfo", box);
  await mkdir(join(root, "proc/self"), { recursive: true });
  await writeFile(join(root, "proc/self/mountinfo"), table);
  const mounts = [[join(around, "outside"), join(root, "y")]] as const;
  const strays = { "over nothing else": [], "over /proc": [[join(root, "proc"), "/proc"]] as const };
  for (const [where, late] of Object.entries(strays)) {
    const astray = await mountAlso(sandbox, { around, mounts, late });
    const { stdout, stderr } = await run(astray, "echo ran; cat y/key", box);
    expect({ where, stdout }).toEqual({ where, stdout: "" });
    expect(stderr).toContain("was not run");
  }
});

testInside("a mount point is not created outside where a link leads", async () => {
  const { around, root, sandbox } = await makeWorkspace();
  const ways = [
    "/oldroot",
    "../../../../../oldroot",
    "/newroot/../oldroot",
    "/newroot/proc/self/cwd/oldroot",
  ];
  for (const outside of [around, temporaryFolder()]) {
    for (const way of ways) {
      await rm(join(root, "x"), { force: true });
      await symlink(`${way}${outside}`, join(root, "x"));
      const late = [[root, join(root, "x/made")]] as const;
      const astray = await mountAlso(sandbox, { around, late });
      await run(astray, "true", { profile: "workspace-write", directory: "/" });
      expect({ way, entries: await readdir(outside) }).toEqual({
        way,
        entries: expect.not.arrayContaining(["made"]),
      });
    }
  }
});

/** What is shown, and where. */
type StrayMount = readonly [source: string, path: string];

/** Makes further mounts, as if others had gone there, before bubblewrap loses sight of the machine, and late ones after. */
async function mountAlso(
  sandbox: Sandbox,
  {
    around,
    mounts = [],
    late = [],
  }: { around: string; mounts?: readonly StrayMount[]; late?: readonly StrayMount[] },
): Promise<Sandbox> {
  const file = join(around, "bwrap");
  const words = (some: readonly StrayMount[]) =>
    some.flatMap((mount) => ["--bind", ...mount].map((word) => `'${word}'`)).join(" ");
  await writeFile(
    file,
    `#!/bin/bash
    options=()
    while [[ $1 != --args ]]; do options+=("$1"); shift; done
    mapfile -d '' -t made <&"$2"
    shift 2
    at=0
    until [[ \${made[at]} == --bind-try ]]; do at=$((at + 1)); done
    early=("\${made[@]:0:at}" ${words(mounts)})
    exec bwrap "\${options[@]}" "\${early[@]}" "\${made[@]:at}" ${words(late)} "$@"`,
    { mode: 0o700 },
  );
  const replace = (word: string) => (word.endsWith("/bwrap") ? file : word);
  return {
    ...sandbox,
    async wrap(...given) {
      const wrapped = await sandbox.wrap(...given);
      return { ...wrapped, file: replace(wrapped.file), args: wrapped.args.map(replace) };
    },
  };
}

const profiles: readonly SandboxProfile[] = ["read-only", "workspace-write", "network"];
const startsEach = fuzzRuns({ sample: 12, full: 1120 });

// Exchanges a folder and a link to another home, again and again, at once: neither name is ever missing.
const exchange = `
  my %numbers = (x86_64 => 316, aarch64 => 276);
  my $number = $numbers{(POSIX::uname())[4]};
  my ($one, $other) = ("x", "l");
  mkdir "begun";
  while (1) {
    syscall($number, -100, $one, -100, $other, 2);
    select(undef, undef, undef, 0.002 * rand());
  }`;

const attempt = `
  for way in x l; do
    cat "$way"/.ssh/* "$way"/*.txt
    echo planted > "$way/.ssh/planted"
    echo planted > "$way/planted"
  done 2>/dev/null
  true`;

/** Who exchanges, and what the link begins with; where bubblewrap would create something, it is missing. */
const exchangers = [
  { where: "outside the sandbox", exchangeIn: exchangeOutside, way: "" },
  { where: "in another command's sandbox", exchangeIn: exchangeInside, way: "" },
  { where: "only for bubblewrap", exchangeIn: exchangeInside, way: "/oldroot" },
] as const;

for (const profile of profiles) {
  for (const { where, exchangeIn, way } of exchangers) {
    testExchanging(
      `a ${profile} command reaches nothing outside while a folder is exchanged for a link ${where}`,
      { timeout: fuzzRuns({ sample: 60_000, full: 3_600_000 }) },
      async () => {
        const { around, root, sandbox } = await makeWorkspace();
        const other = join(around, "other home");
        await mkdir(other);
        await writeFile(join(other, "note.txt"), "OUTSIDE");
        if (way === "") {
          await mkdir(join(other, ".ssh"));
          await writeFile(join(other, ".ssh/key"), "OUTSIDE");
          await makeBareGit(join(other, ".git"));
        }
        const before = (await readdir(other, { recursive: true })).sort();
        await mkdir(join(root, "x"));
        await symlink(`${way}${other}`, join(root, "l"));
        await exchangeIn(root, sandbox);
        await until(async () => (await readdir(root)).includes("begun"));
        await putDummy(root);
        let ran = 0;
        // One in five starts while everything holds still.
        for (let count = 0; count < startsEach || ran === 0; count++) {
          const { stdout, exitCode } = await run(sandbox, attempt, { profile, directory: root }).catch(
            notMade,
          );
          expect(stdout).not.toContain("OUTSIDE");
          if (exitCode === 0) ran += 1;
        }
        expect((await readdir(other, { recursive: true })).sort()).toEqual(before);
      },
    );
  }
}

/** The sandbox says so when a placeholder cannot be put in its place. */
function notMade(error: Error) {
  expect(error.message).toContain("cannot protect");
  return { stdout: "", exitCode: null };
}

async function exchangeOutside(root: string): Promise<void> {
  const child = spawn("perl", ["-MPOSIX", "-e", exchange], { cwd: root, stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
}

/** This command's own sandbox was made before there was anything to protect. */
async function exchangeInside(root: string, sandbox: Sandbox): Promise<void> {
  const { child, ended, finish } = await start(sandbox, `exec perl -MPOSIX -e '${exchange}'`, {
    profile: "workspace-write",
    directory: root,
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    await finish();
  });
}

/** Its settings are missing, so that the sandbox puts something in their place before a command. */
async function makeBareGit(folder: string): Promise<void> {
  await mkdir(join(folder, "objects"), { recursive: true });
  await mkdir(join(folder, "refs"));
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/main\n");
}

/** In the folder, by whichever name it goes: a link would lead out. */
async function putDummy(root: string): Promise<void> {
  for (;;) {
    const folder = await open(join(root, "x"), constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
      () => undefined,
    );
    if (folder === undefined) continue;
    await mkdir(`/proc/self/fd/${folder.fd}/.ssh`);
    await writeFile(`/proc/self/fd/${folder.fd}/.ssh/dummy`, "inside");
    await makeBareGit(`/proc/self/fd/${folder.fd}/.git`);
    await folder.close();
    return;
  }
}
