import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseObject } from "../parse-stored.ts";

/** The end of the names of files in which processes write down their next changes. */
export const logSuffix = ".jsonl";

/**
 * Finds the blobs without which a change that has not ended could not be taken back, of processes that live and of
 * processes that died during a change.
 */
export async function findNeededBlobs(intentFolder: string): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const name of await readdir(intentFolder).catch(() => [])) {
    if (!name.endsWith(logSuffix)) continue;
    // Its process may have removed it since.
    const text = await readFile(join(intentFolder, name), "utf8").catch(() => "");
    for (const hash of hashesOfOpen(text)) needed.add(hash);
  }
  return needed;
}

function hashesOfOpen(log: string): Iterable<string> {
  const open = new Map<unknown, string[]>();
  for (const line of log.split("\n")) {
    // The last line may be half written.
    const { about, number } = parseObject(line) ?? {};
    if (about === "end") open.delete(number);
    else if (about === "begin") open.set(number, []);
    else open.get(number)?.push(line);
  }
  const lines = [...open.values()].flat().join("\n");
  return [...lines.matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash = ""]) => hash);
}
