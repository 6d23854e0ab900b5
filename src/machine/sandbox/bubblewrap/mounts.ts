import { relativeInside } from "../../../shared/relative-inside.ts";
import type { InheritedFiles } from "./inherited-files.ts";

/** An entry of the sandbox's file system, which starts empty. */
export interface Mount {
  readonly path: string;
  readonly option: "bind" | "ro-bind" | "ro-bind-try" | "tmpfs" | "dir" | "symlink" | "file" | "proc" | "dev";
  /** The path on the machine that is shown there, or a link's target. */
  readonly source?: string;
}

/** Sorts parents first, keeps the last mount for each path, and drops entries that would be created on the real disk. */
export function arrangeMounts(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const unique = [...byPath.values()];
  return unique
    .filter((mount) => !unique.some((other) => makesRedundant(other, mount)))
    .sort((one, other) => depth(one.path) - depth(other.path));
}

/** An entry inside a mounted folder is either there already or would be created on the real disk. */
function makesRedundant(other: Mount, mount: Mount): boolean {
  if (other === mount || !isShown(other) || mount.option === "proc" || mount.option === "dev") return false;
  if (relativeInside(other.path, mount.path) === undefined) return false;
  return other.option === "bind" || mount.option !== "bind";
}

/** Whether it shows what the machine has at this very path. */
function isShown({ option, path, source = path }: Mount): boolean {
  if (source !== path) return false;
  return option === "bind" || option === "ro-bind" || option === "ro-bind-try";
}

function depth(path: string): number {
  return path.split("/").filter((name) => name !== "").length;
}

export async function mountArguments(mount: Mount, descriptors: InheritedFiles): Promise<string[]> {
  const { path, option, source = path } = mount;
  switch (option) {
    case "file": {
      const descriptor = await descriptors.open(source);
      return descriptor === undefined ? [] : ["--file", String(descriptor), path];
    }
    case "bind":
    case "ro-bind":
    case "ro-bind-try":
    case "symlink":
      return [`--${option}`, source, path];
    case "tmpfs":
      return ["--perms", path === "/tmp" ? "1777" : "0700", "--tmpfs", path];
    case "proc":
      // Root inside is root to the kernel: a writable /proc/sys could make it run a program outside on every crash.
      return ["--proc", path, "--remount-ro", path];
    case "dir":
    case "dev":
      return [`--${option}`, path];
  }
}
