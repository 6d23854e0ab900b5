import { isAbsolute } from "node:path";
import { relativeInside } from "../relative-inside.ts";

/** The folders of a PATH in which no file of a workspace can be, as a PATH. */
export function trustedPath(path: string, untrusted: readonly string[]): string {
  const isTrusted = (folder: string) =>
    isAbsolute(folder) && !untrusted.some((one) => relativeInside(one, folder) !== undefined);
  // An empty PATH would mean the folder that a program is started in.
  return path.split(":").filter(isTrusted).join(":") || "/usr/bin:/bin";
}
