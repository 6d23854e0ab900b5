import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import { listBelow } from "./list-below.ts";

/** Whether a link beneath a folder leads out of it; also true if there is too much to look at. */
export async function leadsOut(folder: string): Promise<boolean> {
  const found = await listBelow(folder, { most: 50_000 });
  if (found === undefined) return true;
  const links = found.filter(({ kind }) => kind === "other");
  if (links.length === 0) return false;
  const home = await realpath(folder).catch(() => folder);
  for (const { path } of links) {
    // A link without a target leads nowhere.
    const target = await realpath(join(folder, path)).catch(() => undefined);
    if (target !== undefined && relativeInside(home, target) === undefined) return true;
  }
  return false;
}
