import { lstat, rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { createNotedDrafts, type DraftParts } from "../../../machine/locks/noted-drafts.ts";
import { newId } from "../../../shared/new-id.ts";
import type { SqlDriver } from "./sql-driver.ts";

/** A driver whose copies get their name once they are whole. */
export interface DraftingDriver extends SqlDriver {
  /** Removes unfinished copies of processes that have died, in whichever folder they are. */
  removeDrafts(): Promise<void>;
}

/** Notes every copy, and not in the store, which can be copied while another process keeps it locked. */
export function withDrafts(driver: SqlDriver, parts: Omit<DraftParts, "remove">): DraftingDriver {
  const drafts = createNotedDrafts({ ...parts, remove: removeDraft });
  return {
    ...driver,
    removeDrafts: drafts.removeLeft,
    async backUp(copy) {
      await drafts.removeLeft();
      const draft = resolve(`${copy}.${newId("draft")}`);
      const forget = await drafts.note(draft);
      try {
        await driver.backUp(draft);
        await rename(draft, copy);
      } finally {
        await removeDraft(draft);
        await forget();
      }
    },
  };
}

async function removeDraft(draft: string): Promise<void> {
  if (!draftName.test(draft)) return;
  for (const file of [draft, `${draft}-journal`]) {
    const found = await lstat(file).catch(() => undefined);
    if (found?.isFile()) await rm(file, { force: true });
  }
}

const draftName = /\.draft_[0-9a-z]{16,}$/;
