import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { isFulfilled } from "../maybe-promise.ts";

/** The path of a program in the first of these folders that has it. Never by PATH, which may lead into a workspace. */
export async function findInstalled(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isFulfilled(access(path, constants.X_OK))) return path;
  }
  return undefined;
}
