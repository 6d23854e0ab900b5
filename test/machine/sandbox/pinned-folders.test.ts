import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { SandboxBounds } from "../../../src/machine/sandbox/sandbox.ts";
import { gitEnvironment } from "../../support/git-environment.ts";
import { needs } from "../../support/needs.ts";
import { putFiles } from "../../support/temporary-folder.ts";
import { makeWorkspace, openFor, run, testInside } from "./inside.ts";

const testExchanging = await needs("bubblewrap", "perl");

/** Tries to get each folder above each mount out of the way, by every way that there is, and prints what worked. */
const moveEverything = `
  root=$PWD
  while read -r _ _ _ _ point _; do
    point=$(printf '%b' "\${point//\\\\/\\\\0}")
    [[ $point == "$root"/* ]] && printf '%s\\n' "$point"
  done </proc/self/mountinfo | sort -u >/tmp/points
  wc -l </tmp/points
  exchange() { perl -MPOSIX -e 'my %n = (x86_64 => 316, aarch64 => 276); my ($a, $b) = @ARGV;
    exit(syscall($n{(POSIX::uname())[4]}, -100, $a, -100, $b, 2) == 0 ? 0 : 1)' "$@"; }
  exec 2>/dev/null
  while read -r point; do
    for ((folder = 1; ; )); do
      folder=$(dirname "$point")
      [[ $folder == "$root" ]] && break
      mkdir -p "$root/fresh" /tmp/fresh
      mv -T "$folder" "$root/moved" && echo "moved $folder"
      mv -T "$root/fresh" "$folder" && echo "replaced $folder"
      exchange "$folder" "$root/fresh" && echo "exchanged $folder"
      ln -sfnT /tmp "$folder" && echo "linked $folder"
      rmdir "$folder" && echo "removed $folder"
      point=$folder
    done
  done </tmp/points
  rmdir "$root/fresh"
  true`;

for (const profile of ["read-only", "workspace-write", "network"] as const) {
  testExchanging(`a ${profile} command can move no folder above what its sandbox covers`, async () => {
    const { root, home } = await makeWorkspace();
    await putFiles(root, {
      "p/q/sec/k.txt": "HIDDEN",
      "p/one.txt": "mine",
      "p/r/other.txt": "free",
      "ours/state/of/all/token": "HIDDEN",
      "our/tools/a.mjs": "mine",
      "packages/app/.husky/pre-commit": "mine",
      "packages/app/.env": "secret",
      "deep/down/config/settings.json": "mine",
    });
    makeRepositories(root);
    await listen(join(root, "run/now/pinned-folders.socket"));
    const sandbox = await openFor(root, {
      home,
      hidden: [join(root, "ours/state/of/all")],
      codePaths: [join(root, "our/tools"), join(root, "our/later/tools")],
    });
    const box: SandboxBounds = {
      profile,
      directory: root,
      hidden: [join(root, "p/q/sec")],
      readOnly: [join(root, "p/one.txt"), join(root, "deep/down/config")],
      absent: [join(root, "p/r/new.txt")],
    };
    const { stdout } = await run(sandbox, moveEverything, box);
    const [mounts, ...moved] = stdout.trim().split("\n");
    expect(moved).toEqual([]);
    expect(Number(mounts)).toBeGreaterThanOrEqual(profile === "read-only" ? 4 : 30);
    expect(await readFile(join(root, "p/q/sec/k.txt"), "utf8")).toBe("HIDDEN");
    // Beside them, folders are moved as ever.
    const free = await run(sandbox, "mkdir -p a/b && mv a c && mv p/r/other.txt c/", box);
    expect(free.exitCode === 0).toBe(profile !== "read-only");
  });
}

testInside("a folder that a person let a command move is moved, with its covered entries", async () => {
  const { root, sandbox } = await makeWorkspace();
  await putFiles(root, { "p/q/.husky/pre-commit": "mine" });
  const box = { profile: "workspace-write", directory: root } as const;
  expect((await run(sandbox, "mv p z", box)).exitCode).not.toBe(0);
  expect((await run(sandbox, "mv p z", { ...box, writable: [root] })).exitCode).not.toBe(0);
  expect(
    (await run(sandbox, "mv p z", { ...box, writable: [join(root, "p"), join(root, "z")] })).exitCode,
  ).toBe(0);
  expect(await readFile(join(root, "z/q/.husky/pre-commit"), "utf8")).toBe("mine");
});

/** One at the root with a submodule in a folder, and one that is only there. */
function makeRepositories(root: string): void {
  const git = (words: string, cwd: string) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...words.split(" ")], {
      cwd,
      env: gitEnvironment,
      stdio: "ignore",
    });
  for (const folder of ["vendor/lib", "source"]) {
    execFileSync("mkdir", ["-p", folder], { cwd: root });
    git("init -q .", join(root, folder));
    git("commit -q --allow-empty -m first", join(root, folder));
  }
  git("init -q .", root);
  git("-c protocol.file.allow=always submodule add ./source group/sub", root);
}

async function listen(path: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await writeFile(join(path, "../beside"), "");
}
