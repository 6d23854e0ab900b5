import { spawn } from "node:child_process";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename } from "node:path";
import { limitCommand } from "../../shared/process-environment.ts";
import { findInstalled } from "../../shared/programs/find-installed.ts";
import { lockFolders } from "../locks/index.ts";
import { createBareBubblewrap, createBubblewrap } from "./bubblewrap/bubblewrap.ts";
import { findStrayDescriptors } from "./bubblewrap/stray-descriptors.ts";
import { readSystemEntries } from "./bubblewrap/system-entries.ts";
import { isKernelFolder } from "./bubblewrap/visible-mounts.ts";
import { createPlantWatch, type PlantWatchOptions } from "./planted/plant-watch.ts";
import { profileEnvironment } from "./profile-environment.ts";
import { findLinkedRepository } from "./protected/git-index.ts";
import { sharedPlaceholders } from "./protected/placeholders.ts";
import { createNameScanner } from "./protected/scan-names.ts";
import { removeLeftOfSandboxes } from "./remove-left.ts";
import type { ConfinedProgram, Confining, Sandbox, StartableProgram } from "./sandbox.ts";
import { seatbeltProfile } from "./seatbelt/seatbelt-profile.ts";
import { machines } from "./seccomp/system-calls.ts";
import { findUserPrograms } from "./user-programs.ts";

export interface SandboxOptions {
  /** If no sandbox is available, `auto` continues without one and `required` throws; `off` never uses one. */
  readonly mode: "auto" | "required" | "off";
  readonly roots: { readonly root: string; readonly extraRoots: readonly string[] };
  /** Paths besides the roots that every command may read and none may write. */
  readonly readable?: readonly string[];
  /** Paths that no command may see, even inside a root, such as our own records. */
  readonly hidden: readonly string[];
  /** Names in the roots that no command may create, write or remove; `*` matches any characters. */
  readonly protectedNames: readonly string[];
  /** Those of them that programs read only in the home folder. Default: none. */
  readonly homeNames?: readonly string[];
  /** Absolute; what this process loads as code. No command may write it. Default: nothing. */
  readonly codePaths?: readonly string[];
  /** Names in the roots that commands in profile `read-only` may not read. */
  readonly sensitiveNames: readonly string[];
  /** Absolute paths of files with sensitive names that are not secrets. Default: none. */
  findPublic?(): Promise<ReadonlySet<string>>;
  /** The user's own PATH, for commands that may write. */
  readonly userPath: string;
  readonly home?: string;
  /** How many folders of a root are looked through for names. Default: 50,000. */
  readonly maxFolders?: number;
}

/** Finds the sandbox that works on this machine and prepares it. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { root, extraRoots } = options.roots;
  const given = [...new Set([root, ...extraRoots])];
  const isOff = options.mode === "off";
  const roots = isOff ? given : [...new Set(await Promise.all(given.map((path) => realpath(path))))];
  const home = await canonicalHome(options.home);
  const findNames = createNameScanner({ ...options, home }, options);
  // Asked before the first command, which might commit a secret.
  await options.findPublic?.();
  const confining = await chooseSandbox(options, { roots, home, findNames });
  if (options.mode === "required" && confining.kind === "none") {
    throw new Error(`a sandbox is required, but none is available: ${confining.reason}`);
  }
  return watchPlants(confining, { roots, findNames });
}

/** The roots and the home folder with links resolved, and what looks through the roots. */
interface Looked extends Pick<PlantWatchOptions, "roots" | "findNames"> {
  readonly home: string;
}

/** Looks at what each command that may write has left for other programs to run. */
function watchPlants({ wrap, ...status }: Confining, { roots, findNames }: Omit<Looked, "home">): Sandbox {
  const watch = createPlantWatch({ roots, findNames, isConfined: status.kind !== "none" });
  return {
    ...status,
    submodules: watch.submodules,
    acceptSubmodules: watch.accept,
    async wrap(program, box) {
      const before = box.profile === "read-only" ? undefined : await watch.look();
      const { finish, ...confined } = await wrap(program, box);
      return {
        ...confined,
        async finish() {
          await finish?.();
          if (before === undefined) return [];
          return watch.compare(before, { writable: box.writable ?? [] });
        },
      };
    },
  };
}

async function chooseSandbox(options: SandboxOptions, looked: Looked): Promise<Confining> {
  const { roots, home } = looked;
  if (options.mode === "off") return createNoSandbox("it was switched off");
  const odd = roots.find(isKernelFolder);
  if (odd !== undefined) return createNoSandbox(`${odd} belongs to the kernel and cannot be a workspace`);
  if (process.platform === "linux") return openBubblewrap(options, looked);
  if (process.platform === "darwin") return openSeatbelt(options, { roots, home });
  return createNoSandbox(`no sandbox is available for ${process.platform} yet`);
}

async function openBubblewrap(
  options: SandboxOptions,
  { roots, home, findNames }: Looked,
): Promise<Confining> {
  const { protectedNames, homeNames = [], sensitiveNames, userPath, codePaths = [] } = options;
  const placeholders = sharedPlaceholders();
  const [probe, system, programs, strays] = await Promise.all([
    probeBubblewrap(),
    readSystemEntries(),
    findUserPrograms({ userPath, home, sensitiveNames }),
    findStrayDescriptors(),
    removeLeftOfSandboxes(),
  ]);
  if (probe.reason !== undefined) return createNoSandbox(probe.reason);
  return createBubblewrap({
    file: probe.file,
    shell: probe.shell,
    strays,
    system,
    programs,
    home,
    roots,
    readable: await findReadable(options, roots),
    hidden: [...options.hidden, ...lockFolders()],
    protectedNames,
    homeNames,
    codePaths,
    placeholders,
    findNames,
    findPublic: options.findPublic ?? (async () => new Set()),
  });
}

async function canonicalHome(home = homedir()): Promise<string> {
  return realpath(home).catch(() => home);
}

/** The readable paths that exist, and the repositories that the roots are worktrees of. */
async function findReadable(
  { readable = [] }: SandboxOptions,
  roots: readonly string[],
): Promise<readonly string[]> {
  const places = await Promise.all([
    ...readable.map((path) => realpath(path).catch(() => undefined)),
    ...roots.map(findLinkedRepository),
  ]);
  return [...new Set(places.filter((place) => place !== undefined))];
}

/** Runs commands in the macOS sandbox. Unlike with bubblewrap, no command ends by itself when we do. */
async function openSeatbelt(
  options: SandboxOptions,
  { roots, home }: Omit<Looked, "findNames">,
): Promise<Confining> {
  const reason = await probeSeatbelt();
  if (reason !== undefined) return createNoSandbox(reason);
  const { hidden, protectedNames, sensitiveNames, userPath, codePaths = [] } = options;
  const programs = await findUserPrograms({ userPath, home, sensitiveNames });
  const readable = await findReadable(options, roots);
  const bounds = { roots, readable, home, hidden, protectedNames, codePaths, sensitiveNames, programs };
  return {
    kind: "seatbelt",
    async wrap({ file, args, environment }, box) {
      const publicFiles = [...((await options.findPublic?.()) ?? [])];
      return {
        file: seatbeltFile,
        isSandbox: true,
        args: ["-p", seatbeltProfile(box, { ...bounds, publicFiles }), file, ...args],
        environment: profileEnvironment(environment, box),
        descriptors: [],
        release: async () => {},
      };
    },
  };
}

/** A sandbox without a workspace: what runs in it sees the system's programs and these files, and writes nowhere. */
export async function openBareSandbox(readable: readonly string[]): Promise<Confining> {
  if (process.platform !== "linux") return createNoSandbox(`it is not available for ${process.platform} yet`);
  const [probe, strays, shown] = await Promise.all([
    probeBubblewrap(),
    findStrayDescriptors(),
    Promise.all(readable.map((path) => realpath(path))),
  ]);
  if (probe.reason !== undefined) return createNoSandbox(probe.reason);
  const { kind, wrap } = await createBareBubblewrap(probe, { strays, readable: shown });
  return { kind, wrap: (program, box) => wrap(program, { ...box, isBare: true }) };
}

/** Runs commands without a sandbox; only their environment follows the profile, and they are marked for good. */
export function createNoSandbox(reason: string): Confining {
  return {
    kind: "none",
    reason,
    wrap: async ({ file, args, environment }, box) => ({
      file,
      args: markedArguments({ file, args }),
      environment: profileEnvironment(environment, box, { isConfined: false }),
      descriptors: [],
      release: async () => {},
    }),
  };
}

/** A sandbox keeps a command from our files; without one, it must be known as a command wherever it goes. */
function markedArguments({ file, args }: Pick<StartableProgram, "file" | "args">): readonly string[] {
  if (process.platform !== "linux" || basename(file) !== "bash") return args;
  // -p keeps this bash from running the file in BASH_ENV, which is meant for the one that takes its place.
  return ["--norc", "--noprofile", "-p", "-c", `${limitCommand}; exec "$@"`, "bash", file, ...args];
}

const seatbeltFile = "/usr/bin/sandbox-exec";

/** Why the macOS sandbox does not work here; undefined if it does. */
async function probeSeatbelt(): Promise<string | undefined> {
  const failure = await runQuietly({
    file: seatbeltFile,
    args: ["-p", "(version 1)(allow default)", "/usr/bin/true"],
    environment: {},
    descriptors: [],
    release: async () => {},
  });
  return failure && `${seatbeltFile} does not work here: ${failure}`;
}

type BubblewrapPrograms = Parameters<typeof createBareBubblewrap>[0];

/** Finds bubblewrap and tests it by running a command in it, once per process. */
export function probeBubblewrap() {
  lastProbe ??= probe();
  return lastProbe;
}

// The machine's abilities do not change while we run.
let lastProbe: ReturnType<typeof probe> | undefined;

async function probe() {
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

/** Runs a program to its end without showing output. Returns what went wrong, or undefined. */
async function runQuietly(wrapped: ConfinedProgram): Promise<string | undefined> {
  const { file, args, environment, descriptors } = wrapped;
  try {
    const child = spawn(file, args, {
      env: { ...environment },
      stdio: ["ignore", "ignore", "pipe", "ignore", ...descriptors],
      timeout: maxTrialMs,
      killSignal: "SIGKILL",
    });
    return await new Promise<string | undefined>((resolve) => {
      let said = "";
      child.stderr?.on("data", (chunk) => {
        said = (said + chunk).slice(0, maxSaidCharacters);
      });
      child.on("error", (error) => resolve(error.message));
      child.on("close", (code, signal) => {
        const ending = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
        resolve(code === 0 ? undefined : said.trim() || ending);
      });
    });
  } finally {
    await wrapped.release();
    await wrapped.finish?.();
  }
}

// A trial takes about 10 ms. The limit is generous so that only a hang, not a busy machine, counts as a failure.
const maxTrialMs = 30_000;
const maxSaidCharacters = 300;
