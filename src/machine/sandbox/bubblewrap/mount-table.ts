import { readdir, readFile, readlink } from "node:fs/promises";
import { errorCodeOf } from "../../../shared/files/error-code.ts";
import { foldersAbove } from "./mounts.ts";

export type MountTable = ReturnType<typeof parseMountTable>;

/** Reads the mounts of a namespace from `/proc/self/mountinfo`, whose texts stay escaped. */
export function parseMountTable(text: string) {
  const rows = text
    .split("\n")
    .filter((line) => line !== "")
    .map(parseRow);
  const ids = new Set(rows.map(({ id }) => id));
  const children = Map.groupBy(rows, ({ parent }) => parent);
  const top = rows.find(({ parent, point }) => point === "/" && !ids.has(parent));
  /** The mount that an escaped path leads to. */
  const mountAt = (escaped: string) => {
    if (top === undefined) throw new Error("nothing is mounted");
    const above = new Set([escaped, ...foldersAbove(escaped)]);
    let found = top;
    for (;;) {
      // On the way down from the root, the first mount leads away from the others beside it.
      const [next] = (children.get(found.id) ?? [])
        .filter(({ point }) => above.has(point))
        .sort((one, other) => one.point.length - other.point.length);
      if (next === undefined) return found;
      found = next;
    }
  };
  return {
    /** The paths on which something is mounted that nothing else hides. */
    points: rows.map(({ point }) => point).filter((point) => mountAt(point).point === point),
    /** The file system of a path without links, and the place there. */
    locate(path: string) {
      const escaped = escapePath(path);
      const { device, root, point, tellsPlaces } = mountAt(escaped);
      if (!tellsPlaces) return { device, root };
      return { device, root: `${asPrefix(root)}${escaped.slice(asPrefix(point).length)}` || "/" };
    },
  };
}

function parseRow(line: string) {
  const [mount = "", system = ""] = line.split(" - ");
  const [id = "", parent = "", device = "", root = "", point = ""] = mount.split(" ");
  // For every place of such a file system, the kernel writes `/`.
  const tellsPlaces = !system.startsWith("nfs");
  return { id, parent, device, root, point, tellsPlaces };
}

function asPrefix(folder: string): string {
  return folder === "/" ? "" : folder;
}

/** A path as the kernel writes it in its tables. */
export function escapePath(path: string): string {
  return path.replace(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

/** The paths on which a process in another mount namespace has something mounted. */
export async function findMounted(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const ownNamespace = await readlink("/proc/self/ns/mnt");
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const used = new Set<string>();
  const seen = new Set([ownNamespace]);
  await Promise.all(
    processes.map(async (id) => {
      const points = await readMountPoints(id, seen);
      for (const path of paths)
        if (points === "hidden" || points.some((point) => point.endsWith(escapePath(path)))) used.add(path);
    }),
  );
  return used;
}

async function readMountPoints(id: string, seen: Set<string>): Promise<readonly string[] | "hidden"> {
  try {
    const namespace = await readlink(`/proc/${id}/ns/mnt`);
    if (seen.has(namespace)) return [];
    const table = await readFile(`/proc/${id}/mountinfo`, "utf8");
    // Marked only now: if this process had ended before the read, others in its namespace must still be read.
    seen.add(namespace);
    return table.split("\n").map((line) => line.split(" ")[4] ?? "");
  } catch (error) {
    const isRefused = ["EACCES", "EPERM"].includes(errorCodeOf(error) ?? "");
    return isRefused && (await isOursInside(id)) ? "hidden" : [];
  }
}

/** Even if its mounts are hidden, a process shows that it belongs to us and runs in its own process namespace. */
async function isOursInside(id: string): Promise<boolean> {
  const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
  const user = /^Uid:\t(\d+)/m.exec(status)?.[1];
  const depth = /^NSpid:\t(.*)$/m.exec(status)?.[1]?.split("\t").length ?? 1;
  return user === String(process.getuid?.()) && depth > 1;
}
