import { execFile } from "node:child_process";
import { access, constants, mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { probeBubblewrap } from "../../src/machine/sandbox/open-sandbox.ts";
import { isFullRun } from "./is-full-run.ts";
import { findPostgres } from "./start-postgres.ts";

const run = promisify(execFile);

/** What a machine may lack and several files of tests need: each tells why it is missing, or nothing. */
export const machineParts = {
  bubblewrap: async () => (await probeBubblewrap()).reason,
  /** A pseudo-terminal, which only the `script` of Linux gives to a command as these tests ask for it. */
  terminal: () =>
    told(
      run("script", ["--quiet", "--return", "--command", "true", "/dev/null"]),
      "script, of util-linux, is not installed or cannot open a terminal",
    ),
  tmux: () => program("tmux"),
  strace: () => program("strace"),
  gawk: () => program("gawk"),
  busybox: () => program("busybox"),
  fish: () => program("fish"),
  zsh: () => program("zsh"),
  ps: () => program("ps"),
  patch: () => program("patch"),
  /** Makes system calls that no other program offers. */
  perl: () => program("perl"),
  python: () => program("python3"),
  postgres: async () => ((await findPostgres()) === undefined ? "PostgreSQL is not installed" : undefined),
  /** Where the kernel keeps it. */
  "shared memory": () => told(access("/dev/shm", constants.W_OK), "there is no /dev/shm to write to"),
  linux: () => (process.platform === "linux" ? undefined : "needs Linux"),
  root: () => (isRoot() ? undefined : "needs root"),
  /** Whom permissions stop. */
  "plain user": () => (isRoot() ? "needs a user other than root" : undefined),
  mount: () => told(tryMount(), "needs the right to mount"),
  unshare: () =>
    told(run("unshare", ["--pid", "--fork", "--mount-proc", "true"]), "needs the right to unshare"),
  /** For what takes too long for every run. */
  "full run": () => (isFullRun ? undefined : "only with TOOLWRIGHT_FUZZ=full"),
} satisfies Record<string, () => string | undefined | Promise<string | undefined>>;

export type MachinePart = keyof typeof machineParts;

async function told(attempt: Promise<unknown>, reason: string): Promise<string | undefined> {
  return attempt.then(
    () => undefined,
    () => reason,
  );
}

async function program(name: string): Promise<string | undefined> {
  const folders = (process.env.PATH ?? "").split(":");
  const found = folders.map((folder) => access(join(folder, name), constants.X_OK));
  return told(Promise.any(found), `${name} is not installed`);
}

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

async function tryMount(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-mount-"));
  try {
    await run("mount", ["-t", "tmpfs", "tmpfs", folder]);
    await run("umount", [folder]);
  } finally {
    await rmdir(folder);
  }
}
