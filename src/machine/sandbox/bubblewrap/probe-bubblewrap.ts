import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { runQuietly } from "../run-quietly.ts";
import type { ConfinedProgram } from "../sandbox.ts";
import { machines } from "../seccomp/system-calls.ts";
import { createBareBubblewrap } from "./bare-bubblewrap.ts";

export type BubblewrapProbe =
  | { readonly file: string; readonly reason?: undefined }
  | { readonly reason: string };

/** Finds bubblewrap and tests it by running a command in it, once per process. */
export function probeBubblewrap(): Promise<BubblewrapProbe> {
  lastProbe ??= probe();
  return lastProbe;
}

// The machine's abilities do not change while we run.
let lastProbe: Promise<BubblewrapProbe> | undefined;

async function probe(): Promise<BubblewrapProbe> {
  if (!machines.has(process.arch))
    return { reason: `no system call filter is available for ${process.arch} yet` };
  const file = await findBubblewrap();
  if (file === undefined) {
    return { reason: "bubblewrap is not installed; install it, for example with `apt install bubblewrap`" };
  }
  const failure = await tryOut(file);
  return failure === undefined ? { file } : { reason: explain(failure) };
}

/** Looks only in the system's own folders, because PATH may contain a workspace folder. */
async function findBubblewrap(): Promise<string | undefined> {
  for (const folder of ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"]) {
    const file = join(folder, "bwrap");
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

async function tryOut(file: string): Promise<string | undefined> {
  const sandbox = await createBareBubblewrap(file);
  let wrapped: ConfinedProgram;
  try {
    wrapped = await sandbox.wrap(
      { file: "/bin/sh", args: ["-c", ":"], environment: {} },
      { profile: "read-only", directory: "/" },
    );
  } catch (error) {
    return (error as Error).message;
  }
  return runQuietly(wrapped);
}

function explain(failure: string): string {
  return (
    `bubblewrap cannot create a sandbox here (${failure}); user namespaces are probably disabled: check ` +
    "`sysctl user.max_user_namespaces kernel.apparmor_restrict_unprivileged_userns`, or allow them in the container"
  );
}
