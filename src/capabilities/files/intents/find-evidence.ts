import type { FileChange } from "../../../kernel/events/file-change.ts";
import { netChanges } from "../../../kernel/events/net-changes.ts";
import type { FindEvidence } from "../../../kernel/session/session-run.ts";
import type { BlobStore } from "../../../kernel/store/blobs/blob-store.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import type { LostIntents } from "./lost-intents.ts";

export interface EvidenceParts {
  readonly redactor: Pick<Redactor, "text">;
  /** Keeps a record to undo the changes with, and returns its name. */
  keepRecord(
    blobs: BlobStore,
    record: { readonly tool: string; readonly changes: readonly FileChange[] },
  ): Promise<string | undefined>;
}

/** Finds what calls have changed whose process has died or lost the session, after taking back what they had half done. */
export function createFindEvidence(lost: LostIntents, { redactor, keepRecord }: EvidenceParts): FindEvidence {
  return async ({ callId, sessionId, tool }) => {
    await lost.recover();
    await lost.recoverCall({ callId, sessionId });
    const found = await lost.find({ callId, sessionId });
    if (found === undefined) return undefined;
    const { changes, isTakenBack, root, blobs } = found;
    const nets = netChanges(changes);
    if (nets.length === 0) return { changes: [], isTakenBack };
    const undo = await keepRecord(blobs, { tool, changes });
    const named = nets.slice(0, maxListedChanges).map(
      ({ path, was, is }): FileChange => ({
        path: redactor.text(relativeInside(root, path) ?? path),
        before: was,
        after: is,
      }),
    );
    return { changes: named, isTakenBack, ...(undo !== undefined && { undo }) };
  };
}

// The undo record has all of them.
const maxListedChanges = 1000;
