import { relativeInside } from "../../shared/relative-inside.ts";

/** Whether a path belongs to the kernel. What people keep in shared memory does not, though it lies below /dev. */
export function isKernelFolder(path: string): boolean {
  if (relativeInside("/dev/shm", path) !== undefined) return path === "/dev/shm";
  return ["/proc", "/sys", "/dev"].some((folder) => relativeInside(folder, path) !== undefined);
}
