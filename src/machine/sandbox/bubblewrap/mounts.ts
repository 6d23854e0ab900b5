import { dirname } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { InheritedFiles } from "./inherited-files.ts";

/** An entry of the sandbox's file system, which starts empty. */
export interface Mount {
  readonly path: string;
  readonly option: "bind" | "ro-bind" | "tmpfs" | "dir" | "symlink" | "file" | "proc" | "dev";
  /** The path on the machine that is shown there, or a link's target. */
  readonly source?: string;
}

/** Sorts parents first, keeps the last mount for each path, and drops entries that would be created on the real disk. */
export function arrangeMounts(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const unique = [...byPath.values()];
  return unique
    .filter((mount) => !unique.some((other) => makesRedundant(other, mount)))
    .sort((one, other) => pathDepth(one.path) - pathDepth(other.path));
}

/** An entry inside a mounted folder is either there already or would be created on the real disk. */
function makesRedundant(other: Mount, mount: Mount): boolean {
  if (other === mount || !isShown(other) || mount.option === "proc" || mount.option === "dev") return false;
  if (relativeInside(other.path, mount.path) === undefined) return false;
  return other.option === "bind" || mount.option !== "bind";
}

/** Whether it shows the machine's entry of this very path. */
export function isShown({ option, path, source = path }: Mount): boolean {
  if (source !== path) return false;
  return option === "bind" || option === "ro-bind";
}

export function pathDepth(path: string): number {
  return path.split("/").filter((name) => name !== "").length;
}

/** All folders above a path, the nearest first. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let inner = path, folder = dirname(path); folder !== inner; inner = folder, folder = dirname(folder))
    folders.push(folder);
  return folders;
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
