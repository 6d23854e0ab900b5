import { resolve } from "node:path";
import { quoteWord } from "../../shared/text/quote-controls.ts";
import { fileOfStore } from "./open-store.ts";

/** The flags with which a command, started in whichever folder, uses the same store: for commands that people copy. */
export function storeFlags(workspace: string, address: string | undefined): string {
  const flags = `--workspace ${quoteWord(workspace)}`;
  if (address === undefined || address === "memory:") return flags;
  return `${flags} --store ${quoteWord(`sqlite:${fileOfStore(address, "")}`)}`;
}

/** Makes a store's address independent of the current folder. */
export function absoluteStore(address: string, folder: string): string {
  const [, file] = /^sqlite:(.+)$/s.exec(address) ?? [];
  return file === undefined ? address : `sqlite:${resolve(folder, file)}`;
}
