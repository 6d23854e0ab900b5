import { findInstalled } from "../../../shared/programs/find-installed.ts";
import { runQuietly } from "../run-quietly.ts";
import type { ConfinedProgram } from "../sandbox.ts";
import { machines } from "../seccomp/system-calls.ts";
import { createBareBubblewrap } from "./bare-bubblewrap.ts";

export type BubblewrapProbe =
  | (BubblewrapPrograms & { readonly reason?: undefined })
  | { readonly reason: string };

interface BubblewrapPrograms {
  /** The path of bubblewrap. */
  readonly file: string;
  /** The path of bash, which watches it start. */
  readonly shell: string;
}

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
  const [file, shell] = await Promise.all(
    ["bwrap", "bash"].map((name) => findInstalled(name, systemFolders)),
  );
  if (file === undefined) {
    return { reason: "bubblewrap is not installed; install it, for example with `apt install bubblewrap`" };
  }
  if (shell === undefined) return { reason: "bash is not installed" };
  const failure = await tryOut({ file, shell });
  return failure === undefined ? { file, shell } : { reason: explain(failure) };
}

const systemFolders = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

async function tryOut(programs: BubblewrapPrograms): Promise<string | undefined> {
  const sandbox = await createBareBubblewrap(programs);
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
