import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { newId } from "../../shared/new-id.ts";
import type { ProcessLives } from "./process-lives.ts";

export type NotedDrafts = ReturnType<typeof createNotedDrafts>;

interface DraftParts {
  /** The folder of the notes. Made when it is needed. */
  readonly notes: string;
  readonly lives: Pick<ProcessLives, "own" | "isAlive">;
  /** Must leave alone files that are not named like our drafts. */
  readonly remove: (draft: string) => Promise<void>;
}

/**
 * Notes the drafts that processes make aside in folders of the user, before each is begun. So no folder is searched for
 * files that look like ours, and a draft that a live process is still making stays.
 */
export function createNotedDrafts({ notes, lives, remove }: DraftParts) {
  return {
    /** Notes a draft, and returns a function that forgets it once nothing of it is left. */
    async note(draft: string): Promise<() => Promise<void>> {
      const note = join(notes, newId("draft"));
      await mkdir(notes, { recursive: true, mode: 0o700 });
      await writeFile(note, JSON.stringify({ draft, life: lives.own }), { flag: "wx", mode: 0o600 });
      return () => rm(note, { force: true });
    },
    /** Removes the drafts that processes which have died have left, in whichever folder they are. */
    async removeLeft(): Promise<void> {
      for (const name of await readdir(notes).catch(() => [])) {
        const note = join(notes, name);
        const { draft, life } = await readNote(note);
        if (life !== undefined && lives.isAlive(life)) continue;
        if (draft !== undefined) await remove(draft);
        await rm(note, { force: true });
      }
    },
  };
}

/** Nothing, if its process was killed as it wrote it: then the draft was not begun. */
async function readNote(file: string): Promise<{ draft?: string; life?: string }> {
  try {
    const note: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isPlainObject(note) || typeof note.draft !== "string" || typeof note.life !== "string") return {};
    return { draft: note.draft, life: note.life };
  } catch {
    return {};
  }
}
