import { resolve } from "node:path";

/** The address of a store, such that it means the same from any folder. */
export function absoluteStore(address: string, folder: string): string {
  const [, file] = /^sqlite:(.+)$/s.exec(address) ?? [];
  return file === undefined ? address : `sqlite:${resolve(folder, file)}`;
}
