import { readFile } from "node:fs/promises";

export interface TreeUsage {
  readonly processes: number;
  readonly memoryBytes: number;
}

/** What a process and everything it has started use now. Stops counting beyond `maxProcesses`. */
export async function readTreeUse(pid: number, maxProcesses: number): Promise<TreeUsage> {
  let memoryBytes = 0;
  const found = [pid];
  for (let index = 0; index < found.length && found.length <= maxProcesses; index++) {
    const each = found[index]!;
    const [children, pages] = await Promise.all([
      readFile(`/proc/${each}/task/${each}/children`, "utf8").catch(() => ""),
      readFile(`/proc/${each}/statm`, "utf8").catch(() => ""),
    ]);
    memoryBytes += Number(pages.split(" ")[1] ?? 0) * pageBytes;
    found.push(
      ...children
        .split(" ")
        .filter((id) => id !== "")
        .map(Number),
    );
  }
  return { processes: found.length, memoryBytes };
}

// Larger pages, as some ARM kernels have, make the count too low; the limits that the kernel enforces hold all the same.
const pageBytes = 4096;
