import { type IndexEntry, parseGitIndex } from "../../sandbox/index.ts";
import type { MachineFacts } from "../facts/machine-facts.ts";

/**
 * Reads the list of the files that git tracks, without starting git; undefined if the list cannot be read. Without a
 * list, nothing is tracked yet.
 */
export async function readIndex(
  path: string,
  world: Pick<MachineFacts, "kindOf" | "readBytes">,
  hashBytes = 20,
): Promise<readonly IndexEntry[] | undefined> {
  const kind = await world.kindOf(path);
  if (kind === undefined) return [];
  const bytes = kind === "file" ? await world.readBytes(path) : undefined;
  return bytes === undefined ? undefined : parseGitIndex(bytes, hashBytes);
}
