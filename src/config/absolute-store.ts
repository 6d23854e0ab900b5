import { resolve } from "node:path";

/** Makes a store's address independent of the current folder. */
export function absoluteStore(address: string, folder: string): string {
  const [, file] = /^sqlite:(.+)$/s.exec(address) ?? [];
  return file === undefined ? address : `sqlite:${resolve(folder, file)}`;
}
