import { relativeInside } from "../../../shared/relative-inside.ts";
import type { InheritedFiles } from "./inherited-files.ts";

/** Something that is put into the sandbox's own file system, which is empty before. */
export interface Mount {
  readonly path: string;
  readonly option: "bind" | "ro-bind" | "ro-bind-try" | "tmpfs" | "dir" | "symlink" | "file" | "proc" | "dev";
  /** What of the machine is shown there, or where a link leads. */
  readonly source?: string;
}

/** Parents first, one per place (the last given wins), and nothing made up inside what belongs to the machine. */
export function arrangeMounts(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const unique = [...byPath.values()];
  return unique
    .filter((mount) => !unique.some((other) => makesNeedless(other, mount)))
    .sort((one, other) => depth(one.path) - depth(other.path));
}

/** Whatever is put inside a folder of the machine would be made on its disk, if it is not there anyway. */
function makesNeedless(other: Mount, mount: Mount): boolean {
  if (other === mount || !isShown(other) || mount.option === "proc" || mount.option === "dev") return false;
  if (relativeInside(other.path, mount.path) === undefined) return false;
  return other.option === "bind" || mount.option !== "bind";
}

function isShown({ option }: Mount): boolean {
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
      // To the kernel, root inside is root: without this it could set what program is run for every crash, outside.
      return ["--proc", path, "--remount-ro", path];
    case "dir":
    case "dev":
      return [`--${option}`, path];
  }
}
