import { readdir, readFile } from "node:fs/promises";

/**
 * Descriptors that our parent process left open and that every child would inherit: a folder among them would be a way
 * out of the sandbox. Node closes the first ones itself, but stops at a gap.
 */
export async function findStrayDescriptors(): Promise<readonly number[]> {
  const numbers = (await readdir("/proc/self/fdinfo")).map(Number).filter((number) => number > 15);
  const strays = await Promise.all(
    numbers.map(async (number) => {
      const info = await readFile(`/proc/self/fdinfo/${number}`, "utf8").catch(() => "");
      const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
      return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0 ? [number] : [];
    }),
  );
  return strays.flat();
}

const closeOnExec = 0o2000000;
