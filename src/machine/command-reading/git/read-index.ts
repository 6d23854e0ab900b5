import { type IndexEntry, parseGitIndex } from "../../sandbox/planted/parse-git-index.ts";
import type { MachineFacts } from "../command-finding.ts";

/**
 * What git tracks, from the file in which it lists that, without starting git; undefined if the list cannot be read. No
 * list means that nothing is tracked yet.
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
