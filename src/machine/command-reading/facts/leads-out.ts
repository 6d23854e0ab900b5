import { realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { listBelow } from "./list-below.ts";

/** Whether a link beneath a folder, of such a name, leads out of it; also true if there is too much to look at. */
export async function leadsOut(
  folder: string,
  mayBeNamed: (name: string) => boolean = () => true,
): Promise<boolean> {
  const found = await listBelow(folder, { most: 50_000 });
  if (found === undefined) return true;
  const links = found.filter(({ kind, path }) => kind === "other" && mayBeNamed(basename(path)));
  if (links.length === 0) return false;
  const home = await realpath(folder).catch(() => folder);
  for (const { path } of links) {
    // A link without a target leads nowhere.
    const target = await realpath(join(folder, path)).catch(() => undefined);
    if (target !== undefined && relativeInside(home, target) === undefined) return true;
  }
  return false;
}
