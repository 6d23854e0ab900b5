import { readFile } from "node:fs/promises";

/** What a process and everything that it starts may use together. */
export interface UseLimits {
  readonly maxMemoryBytes: number;
  readonly maxProcesses?: number;
  readonly lookEveryMs: number;
}

/** Counts what a process uses until the returned function is called. Where there is no /proc, it finds nothing. */
export function watchUse(
  pid: number,
  { maxMemoryBytes, maxProcesses = Number.POSITIVE_INFINITY, lookEveryMs }: UseLimits,
  onExcess: (limit: "memory" | "processes") => void,
): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const { processes, memoryBytes } = await readTreeUse(pid, Math.min(maxProcesses, maxCounted));
    if (isOver) return;
    if (processes > maxProcesses) onExcess("processes");
    else if (memoryBytes > maxMemoryBytes) onExcess("memory");
    else timer = setTimeout(look, lookEveryMs);
  };
  timer = setTimeout(look, lookEveryMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

const maxCounted = 64;

/** What a process and everything it has started use now. Stops counting beyond `maxProcesses`. */
async function readTreeUse(
  pid: number,
  maxProcesses: number,
): Promise<{ processes: number; memoryBytes: number }> {
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
