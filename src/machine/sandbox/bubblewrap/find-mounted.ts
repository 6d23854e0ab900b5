import { readdir, readFile, readlink } from "node:fs/promises";
import { escapePath } from "./mount-table.ts";

/** The paths on which a process in another mount namespace has something mounted. */
export async function findMounted(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const ownNamespace = await readlink("/proc/self/ns/mnt");
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const used = new Set<string>();
  const seen = new Set([ownNamespace]);
  await Promise.all(
    processes.map(async (id) => {
      const points = await readMountPoints(id, seen);
      if (points === "hidden") for (const path of paths) used.add(path);
      else
        for (const path of paths)
          if (points.some((point) => point.endsWith(escapePath(path)))) used.add(path);
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
    const isRefused = ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
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
