import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, normalize } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { certificateVariables } from "../certificate-variables.ts";
import type { SandboxBounds, StartableProgram } from "../sandbox.ts";
import type { UserPrograms } from "../user-programs.ts";
import { arrangeMounts, type Mount } from "./mounts.ts";
import type { SystemEntries, SystemEntry } from "./system-entries.ts";

/** The parts of this machine that commands may see. */
export interface SystemView {
  readonly system: SystemEntries;
  readonly programs: UserPrograms;
  readonly home: string;
  /** Canonical. */
  readonly roots: readonly string[];
  /** Canonical; shown to every command, read-only. */
  readonly readable: readonly string[];
}

/** All mounts that a command with these bounds sees, before masking. */
export async function visibleMounts(
  view: SystemView,
  box: SandboxBounds,
  { environment, created }: { environment: StartableProgram["environment"]; created: readonly Mount[] },
): Promise<Mount[]> {
  const { system, programs, home, roots, readable: alwaysReadable } = view;
  const { profile, readable = [], repository } = box;
  const mayWrite = profile !== "read-only";
  const around = repository === undefined ? [] : [repository];
  // The sandbox has its own kernel folders, such as /proc, and the machine's must not cover them.
  const outside = (paths: readonly string[]) =>
    paths.filter((path) => !isKernelFolder(path) && !isInAny(roots, path));
  return arrangeMounts([
    ...system[profile].map(systemMount),
    { path: "/tmp", option: "tmpfs" },
    // Relative: until bubblewrap starts the program, an absolute link leads out of the new root.
    { path: "/var/tmp", option: "symlink", source: "../tmp" },
    { path: "/run", option: "dir" },
    ...homeMount(environment.HOME ?? home),
    ...(mayWrite
      ? await showWherever([...programs.shown, ...gitSettings(home), ...certificatesIn(environment, home)])
      : []),
    ...(await show(outside([...alwaysReadable, ...readable, ...around]), "ro-bind")),
    ...roots.map((path): Mount => ({ path, option: mayWrite ? "bind" : "ro-bind" })),
    ...(box.writesRepository && mayWrite
      ? around.map((path): Mount => ({ path: join(path, ".git"), option: "bind" }))
      : []),
    ...created,
    ...(await show(writableOutside(view, box), "bind")),
    { path: "/proc", option: "proc" },
    { path: "/dev", option: "dev" },
  ]);
}

/** Mounts those of the paths that exist. The paths have no links in them. */
async function show(paths: readonly string[], option: "bind" | "ro-bind"): Promise<Mount[]> {
  const found = await Promise.all(paths.map(exists));
  return paths.filter((_, index) => found[index]).map((path) => ({ path, option }));
}

/** Mounts the present targets of the user's paths. */
async function showWherever(paths: readonly string[]): Promise<Mount[]> {
  const sources = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return sources.flatMap((source, index) =>
    source === undefined ? [] : [{ path: paths[index]!, option: "ro-bind", source }],
  );
}

function isInAny(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => relativeInside(folder, path) !== undefined);
}

function systemMount({ path, kind, source }: SystemEntry): Mount {
  const options = { folder: "ro-bind", file: "file", link: "symlink" } as const;
  return { path, option: options[kind], source };
}

/** An empty home folder that is discarded when the command ends. */
function homeMount(home: string): Mount[] {
  const path = normalize(home).replace(/\/$/, "");
  const isOwnPlace = isAbsolute(path) && !isKernelFolder(path);
  return isOwnPlace ? [{ path, option: "tmpfs" }] : [];
}

/** Shows only the files with git settings, because credentials may lie next to them. */
function gitSettings(home: string): string[] {
  return [".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes"].map((name) =>
    join(home, name),
  );
}

/** The certificates that the user's environment tells programs to trust. */
function certificatesIn(environment: StartableProgram["environment"], home: string): string[] {
  const places = certificateVariables.flatMap((name) => environment[name]?.split(":") ?? []);
  // Named by mistake, one of these would show far more than certificates.
  const isBroad = (place: string) =>
    ["/", "/etc", "/etc/ssl", "/tmp"].includes(place) || relativeInside(place, home) !== undefined;
  return places
    .filter((place) => isAbsolute(place) && !isKernelFolder(place))
    .map((place) => normalize(place).replace(/(?<=.)\/$/, ""))
    .filter((place) => !isBroad(place));
}

/** Gives the paths outside the roots that a command was allowed to write. */
export function writableOutside({ roots }: SystemView, { writable = [] }: SandboxBounds): readonly string[] {
  return writable.filter((path) => !isKernelFolder(path) && !isInAny(roots, path));
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Whether a path belongs to the kernel. What people keep in shared memory does not, though it lies below /dev. */
export function isKernelFolder(path: string): boolean {
  if (relativeInside("/dev/shm", path) !== undefined) return path === "/dev/shm";
  return ["/proc", "/sys", "/dev"].some((folder) => relativeInside(folder, path) !== undefined);
}
