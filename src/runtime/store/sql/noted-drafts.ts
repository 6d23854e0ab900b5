import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isPlainObject } from "../../../shared/json.ts";
import { newId } from "../../../shared/new-id.ts";
import type { ProcessLives } from "../../locks/process-lives.ts";
import { parseStored } from "../parse-stored.ts";
import type { SqlDriver } from "./sql-driver.ts";

/** A driver whose copies get their name once they are whole. */
export interface DraftingDriver extends SqlDriver {
  /** Removes what was left of copies by processes that have died, wherever it is. */
  removeDrafts(): Promise<void>;
}

export interface DraftParts {
  /** The folder in which is noted where a copy is being made, and by whom. Made when it is needed. */
  readonly notes: string;
  readonly lives: Pick<ProcessLives, "own" | "isAlive">;
}

/**
 * Notes every copy before it is begun: so no folder of the user's is searched for what looks like ours, and a copy that is
 * still being made is left alone. Not in the store, which can be copied while another process keeps it locked.
 */
export function withNotedDrafts(driver: SqlDriver, { notes, lives }: DraftParts): DraftingDriver {
  const removeDrafts = async () => {
    for (const name of await readdir(notes).catch(() => [])) {
      const note = join(notes, name);
      const { draft, life } = await readNote(note);
      if (life !== undefined && lives.isAlive(life)) continue;
      if (draft !== undefined) await removeFile(draft);
      await rm(note, { force: true });
    }
  };
  return {
    ...driver,
    removeDrafts,
    async backUp(copy) {
      await removeDrafts();
      const id = newId("draft");
      const draft = resolve(`${copy}.${id}`);
      const note = join(notes, id);
      await mkdir(notes, { recursive: true, mode: 0o700 });
      await writeFile(note, JSON.stringify({ draft, life: lives.own }), { flag: "wx", mode: 0o600 });
      try {
        await driver.backUp(draft);
        await rename(draft, copy);
      } finally {
        await removeFile(draft);
        await rm(note, { force: true });
      }
    },
  };
}

/** Nothing, if its process was killed as it wrote it: then the copy was not begun. */
async function readNote(file: string): Promise<{ draft?: string; life?: string }> {
  const note = parseStored(await readFile(file, "utf8").catch(() => ""));
  if (!isPlainObject(note) || typeof note.draft !== "string" || typeof note.life !== "string") return {};
  return draftName.test(note.draft) ? { draft: note.draft, life: note.life } : {};
}

const draftName = /\.draft_[0-9a-z]{16,}$/;

async function removeFile(draft: string): Promise<void> {
  for (const file of [draft, `${draft}-journal`]) {
    const found = await lstat(file).catch(() => undefined);
    if (found?.isFile()) await rm(file, { force: true });
  }
}
