import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { relativeInside } from "../relative-inside.ts";

/**
 * The folders of a PATH in which no file of a workspace can be, as a PATH. A folder that is a link into the workspace is
 * left out, and so is one in which the program itself is such a link.
 */
export async function trustedPath(
  path: string,
  untrusted: readonly string[],
  program: string,
): Promise<string> {
  const real = await Promise.all(untrusted.map((folder) => realPath(folder)));
  const within = [...untrusted, ...real.filter((folder) => folder !== undefined)];
  const isInside = (place: string) => within.some((one) => relativeInside(one, place) !== undefined);
  const isTrusted = async (folder: string): Promise<boolean> => {
    if (!isAbsolute(folder) || isInside(folder)) return false;
    const [there, found] = await Promise.all([realPath(folder), realPath(`${folder}/${program}`)]);
    // A missing folder holds no program.
    return there !== undefined && !isInside(there) && (found === undefined || !isInside(found));
  };
  const folders = path.split(":");
  const trusted = await Promise.all(folders.map(isTrusted));
  // An empty PATH would mean the folder that a program is started in.
  return folders.filter((_, index) => trusted[index]).join(":") || "/usr/bin:/bin";
}

function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
