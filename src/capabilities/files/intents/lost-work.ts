import { netChanges } from "../../../kernel/events/index.ts";
import type { LostWork, OpeningRuntime } from "../../../kernel/runtime/index.ts";
import type { FindEvidence } from "../../../kernel/session/index.ts";
import { keepUndoRecord } from "../../../kernel/store/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import { type LostIntents, type LostIntentsOptions, openLostIntents } from "./lost-intents.ts";

/** Finds changes that dead processes have half made, and takes them back or completes them. */
export function findLost(
  { intentFolder, lives, redactor, findLeft }: OpeningRuntime,
  log: LostIntentsOptions["log"],
): LostWork {
  const lost = openLostIntents(intentFolder, { lives, log });
  return {
    evidence: createFindEvidence(lost, redactor),
    recover: lost.recover,
    forget: lost.forget,
    async recoverLeft() {
      for (const place of findLeft()) {
        const left = openLostIntents(place.intentFolder, { lives: place.lives, log });
        if (!left.isOver()) continue;
        await left.recover();
        await place.remove();
      }
    },
  };
}

/** Finds what calls have changed whose process has died or lost the session, after taking back what they had half done. */
function createFindEvidence(lost: LostIntents, redactor: Pick<Redactor, "text">): FindEvidence {
  return async ({ callId, sessionId, tool }) => {
    await lost.recover();
    await lost.recoverCall({ callId, sessionId });
    const found = await lost.find({ callId, sessionId });
    if (found === undefined) return undefined;
    const { changes, isTakenBack, root, blobs } = found;
    const nets = netChanges(changes);
    if (nets.length === 0) return { changes: [], isTakenBack };
    const undo = await keepUndoRecord(blobs, { tool, changes });
    const nameOf = (path: string) => redactor.text(relativeInside(root, path) ?? path);
    const listed = nets.slice(0, maxListedChanges);
    const named = listed.map(({ path, was, is }) => ({ path: nameOf(path), before: was, after: is }));
    return { changes: named, isTakenBack, ...defined({ undo }) };
  };
}

// The undo record has all of them.
const maxListedChanges = 1000;
