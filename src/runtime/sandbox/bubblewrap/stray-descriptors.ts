import { readdir, readFile } from "node:fs/promises";
import type { StartableProgram } from "../sandbox.ts";

/**
 * Descriptors that whoever started us left open and that every child of ours would get: a folder among them would be a way
 * out. Node sees to the first ones itself, but not to those behind a gap.
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

/** Starts the program without them. Only a shell can close them, so it is asked only where there are any. */
export function withoutStrays(
  { file, args }: StartableProgram,
  strays: readonly number[],
): readonly string[] {
  if (strays.length === 0) return [file, ...args];
  // Told by -p to leave alone what BASH_ENV names, which is for the program.
  const closing = strays.map((number) => `exec ${number}>&-`).join("; ");
  return ["/bin/bash", "--norc", "--noprofile", "-p", "-c", `${closing}; exec "$@"`, "bash", file, ...args];
}
