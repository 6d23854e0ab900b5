import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";

/**
 * Those of the sockets that a process may be listening on. The kernel lists them by the path that they were given,
 * which may have been relative, so they are compared by their last name only. They are not tried out: a server may not
 * expect a client that says nothing.
 */
export async function findLiveSockets(sockets: readonly string[]): Promise<readonly string[]> {
  if (sockets.length === 0) return [];
  const names = new Set<string>();
  const seen = new Set<string>();
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    processes.map(async (id) => {
      // A process in another network namespace can still listen in a folder that both can see.
      const namespace = await readlink(`/proc/${id}/ns/net`).catch(() => undefined);
      if (namespace === undefined || seen.has(namespace)) return;
      const table = await readFile(`/proc/${id}/net/unix`, "utf8").catch(() => undefined);
      if (table === undefined) return;
      seen.add(namespace);
      for (const [, path = ""] of table.matchAll(/^\S+: (?:\S+ +){6}(.+)$/gm)) names.add(basename(path));
    }),
  );
  return sockets.filter((path) => names.has(basename(path)));
}
