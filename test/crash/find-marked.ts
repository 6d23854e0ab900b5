import { readdir, readFile } from "node:fs/promises";

/** The processes on the machine whose command line is `sleep 600.<mark>…`. */
export async function findMarked(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      return line.startsWith(`sleep\u0000600.${mark}`) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** The processes whose parent was this one, and those of theirs. */
export async function findBelow(pid: number): Promise<number[]> {
  const read = (id: number) => readFile(`/proc/${id}/task/${id}/children`, "utf8").catch(() => "");
  const children = (await read(pid)).split(" ").filter((id) => id !== "");
  const below = await Promise.all(children.map((id) => findBelow(Number(id))));
  return [...children.map(Number), ...below.flat()];
}
