import { stat } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
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
  { system, programs, home, roots, readable: alwaysReadable }: SystemView,
  { profile, readable = [], writable = [], repository }: SandboxBounds,
  environment: StartableProgram["environment"],
): Promise<Mount[]> {
  const mayWrite = profile !== "read-only";
  const show = (paths: readonly string[]) => paths.map((path): Mount => ({ path, option: "ro-bind-try" }));
  const outside = (paths: readonly string[]) =>
    paths.filter((path) => !isInAny([...roots, ...kernelFolders], path));
  return arrangeMounts([
    ...system[profile].map(systemMount),
    { path: "/tmp", option: "tmpfs" },
    { path: "/var/tmp", option: "symlink", source: "/tmp" },
    { path: "/run", option: "dir" },
    ...homeMount(environment.HOME ?? home),
    ...(mayWrite ? show([...programs.shown, ...gitSettings(home)]) : []),
    ...show(outside([...alwaysReadable, ...readable, ...(repository === undefined ? [] : [repository])])),
    ...roots.map((path): Mount => ({ path, option: mayWrite ? "bind" : "ro-bind" })),
    ...(await writableMounts(outside(writable), home)),
    { path: "/proc", option: "proc" },
    { path: "/dev", option: "dev" },
  ]);
}

// The sandbox has its own, which must not be covered by the machine's.
const kernelFolders = ["/proc", "/dev"];

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
  const isOwnPlace = isAbsolute(path) && !isInAny(kernelFolders, path);
  return isOwnPlace ? [{ path, option: "tmpfs" }] : [];
}

/** Only the files with git settings, because credentials may lie next to them. */
function gitSettings(home: string): string[] {
  return [".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes"].map((name) =>
    join(home, name),
  );
}

/** Creating a new file needs a writable folder, which is granted unless the folder is a broad one such as /tmp. */
async function writableMounts(paths: readonly string[], home: string): Promise<Mount[]> {
  const mounts = await Promise.all(
    paths.map(async (path): Promise<Mount | undefined> => {
      if (await exists(path)) return { path, option: "bind" };
      const folder = dirname(path);
      const isBroad =
        ["/tmp", "/var/tmp", "/"].includes(folder) || relativeInside(folder, home) !== undefined;
      return !isBroad && (await exists(folder)) ? { path: folder, option: "bind" } : undefined;
    }),
  );
  return mounts.filter((mount) => mount !== undefined);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
