import { readFileNow, statNow } from "./files-now.ts";

/**
 * The process that keeps others from a file, or from one byte of it. Only Linux tells who holds a lock, and not if that is a
 * process of another container.
 */
export function findLockHolder(file: string, byte?: number): number | undefined {
  try {
    const { ino } = statNow(file);
    for (const line of readFileNow("/proc/locks", "utf8").split("\n")) {
      const [, , , kind, pid, place = "", first, last] = line.trim().split(/\s+/);
      if (kind !== "WRITE" || !place.endsWith(`:${ino}`) || Number(pid) <= 0) continue;
      if (byte === undefined || (Number(first) <= byte && (last === "EOF" || byte <= Number(last))))
        return Number(pid);
    }
  } catch {
    // There is no such list, or no such file.
  }
  return undefined;
}
