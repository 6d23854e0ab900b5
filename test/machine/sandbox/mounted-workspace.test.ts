import { execFileSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { needs } from "../../support/needs.ts";
import { putFiles, temporaryFolder } from "../../support/temporary-folder.ts";
import { makeWorkspace, openFor, run, testInside } from "./inside.ts";

const testMounting = await needs("bubblewrap", "mount");

/** Where the machine has something mounted in a workspace, by what. */
const machines: Record<string, (root: string) => void> = {
  "a folder of protected names": (root) => mount(["-t", "tmpfs", "tmpfs"], join(root, "m")),
  "the same folder, twice": (root) => {
    mount(["-t", "tmpfs", "tmpfs"], join(root, "m"));
    mount(["-t", "tmpfs", "tmpfs"], join(root, "m"));
  },
  "a folder above another one": (root) => {
    mount(["-t", "tmpfs", "tmpfs"], join(root, "m/n"));
    mount(["-t", "tmpfs", "tmpfs"], join(root, "m"));
  },
  "a protected name": (root) => mount(["--bind", join(root, "m/n/.husky")], join(root, "m/n/.husky")),
  "the whole workspace": (root) => mount(["-t", "tmpfs", "tmpfs"], root),
};

for (const [what, mountNow] of Object.entries(machines)) {
  testMounting(`a workspace in which something is mounted is protected as any: ${what}`, async () => {
    const { root, home } = await makeWorkspace();
    await mkdir(join(root, "m/n/.husky"), { recursive: true });
    mountNow(root);
    const husky = join(root, "m/n/.husky/pre-commit");
    putFiles(root, { "m/n/.husky/pre-commit": "mine", "m/n/.env": "SECRET" });
    const sandbox = await openFor(root, { home });
    const reading = await run(sandbox, "echo ran; cat m/n/.env", { profile: "read-only", directory: root });
    expect(reading).toMatchObject({ stdout: "ran\n" });
    const command = "echo ran; echo x > m/n/.husky/pre-commit; mv m/n z; mv m z; echo new > m/new";
    const writing = await run(sandbox, command, { profile: "workspace-write", directory: root });
    expect(writing).toMatchObject({ stdout: "ran\n", exitCode: 0 });
    expect(await readFile(husky, "utf8")).toBe("mine");
  });
}

testInside("a workspace in /var/tmp is used as any", async () => {
  const root = temporaryFolder("toolwright sandbox-", "/var/tmp");
  await mkdir(join(root, "p/.husky"), { recursive: true });
  const { home } = await makeWorkspace();
  const sandbox = await openFor(root, { home });
  for (const profile of ["read-only", "workspace-write"] as const) {
    const { stdout, stderr } = await run(sandbox, "pwd; mv p z", { profile, directory: root });
    expect(stdout).toBe(`${root}\n`);
    expect(stderr).toMatch(/busy|Read-only/);
  }
});

function mount(what: readonly string[], where: string): void {
  execFileSync("mount", [...what, where]);
  onTestFinished(() => void execFileSync("umount", [where]));
}
