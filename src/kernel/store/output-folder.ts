import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../shared/new-id.ts";
import { relativeInside } from "../../shared/relative-inside.ts";

/** Keeps the full text of outputs that are too long for the model. */
export type OutputFolder = Awaited<ReturnType<typeof openOutputFolder>>;

export async function openOutputFolder(path: string) {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const root = await realpath(path);
  return {
    path: root,
    async keep(sessionId: string, text: string) {
      const folder = join(root, sessionId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${newId("output")}.txt`);
      await writeFile(file, text, { flag: "wx", mode: 0o600 });
      return file;
    },
    /** Undefined if the file is gone, or is not in this folder. */
    async read(file: string) {
      const place = await realpath(file).catch(() => undefined);
      if (place === undefined || relativeInside(root, place) === undefined) return undefined;
      return (await readFile(place, "utf8")).toWellFormed();
    },
  };
}
