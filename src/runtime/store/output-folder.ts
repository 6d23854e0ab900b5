import { mkdir, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../shared/new-id.ts";

/** Keeps the full text of outputs that are too long for the model. */
export interface OutputFolder {
  readonly path: string;
  keep(sessionId: string, text: string): Promise<string>;
}

export async function openOutputFolder(path: string): Promise<OutputFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const root = await realpath(path);
  return {
    path: root,
    async keep(sessionId, text) {
      const folder = join(root, sessionId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${newId("output")}.txt`);
      const handle = await open(file, "wx", 0o600);
      try {
        await handle.writeFile(text);
      } finally {
        await handle.close();
      }
      return file;
    },
  };
}
