import { readdir, readFile } from "node:fs/promises";

/**
 * Descriptors that our parent process left open and that every child would inherit: a folder among them would be a way
 * out of the sandbox. Node closes the first ones of a child itself, but stops at a gap; its own are close-on-exec.
 */
export async function findStrayDescriptors({ above = 15 } = {}): Promise<readonly number[]> {
  const names = await readdir("/proc/self/fdinfo");
  const strays = await Promise.all(
    names.map(Number).map(async (number) => {
      if (number <= above) return [];
      const info = await readFile(`/proc/self/fdinfo/${number}`, "utf8").catch(() => "");
      const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0 ? [number] : [];
    }),
  );
  return strays.flat();
}

const closeOnExec = 0o2000000;
