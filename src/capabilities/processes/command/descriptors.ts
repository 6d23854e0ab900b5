import { close, open, read, write } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

// Plain numbers to pass to children; a FileHandle would be closed by garbage collection.
export const openDescriptor = promisify(open);
export const closeDescriptor = promisify(close);
export const writeDescriptor = promisify(write);
export const readDescriptorAt = promisify(read);

/**
 * Descriptors that the runtime inherited when it was started, and that every child would inherit too. Node's own are
 * close-on-exec.
 */
export async function listForeignDescriptors(): Promise<number[]> {
  const names = await readdir("/proc/self/fdinfo").catch(() => []);
  const foreign = await Promise.all(
    names.map(async (name) => {
      const info = await readFile(`/proc/self/fdinfo/${name}`, "utf8").catch(() => "");
      const flags = Number.parseInt(/^flags:\s+(\d+)/m.exec(info)?.[1] ?? "", 8);
      return Number(name) > 2 && (flags & closeOnExec) === 0 ? [Number(name)] : [];
    }),
  );
  return foreign.flat();
}

const closeOnExec = 0o2000000;
