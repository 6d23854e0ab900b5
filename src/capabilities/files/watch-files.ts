import { open } from "node:fs/promises";
import type { SessionLog } from "../../kernel/session/index.ts";
import { errorCodeOf } from "../../shared/files/error-code.ts";
import { fileStamp } from "../../shared/files/file-stamp.ts";
import { hashSource } from "../../shared/files/read-chunks.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { FileVersion, FreshnessPool } from "./freshness-pool.ts";

interface WatchedSession {
  readonly workspace: { readonly root: string };
  readonly log: Pick<SessionLog, "note">;
}

/** Logs each new content that other processes give to a file which the session has read or written. */
export async function watchChanges(
  { workspace: { root }, log }: WatchedSession,
  freshness: FreshnessPool,
): Promise<{ close(): Promise<void> }> {
  const told = new Map<string, string>();
  const closing = new AbortController();
  const look = async (path: string): Promise<void> => {
    const current = await versionOf(path, closing.signal);
    const seen = current?.hash ?? "deleted";
    const verdict = freshness.check(path, current ?? { stamp: "deleted", hash: "deleted" });
    if (verdict === "never-read") return;
    if (verdict === "fresh") told.delete(path);
    else if (told.get(path) !== seen) {
      told.set(path, seen);
      const kind = current === undefined ? "deleted" : "changed";
      log.note({ type: "file-change", path: relativeInside(root, path) ?? path, kind });
    }
  };

  const { subscribe } = await importWatcher();
  const subscription = await subscribe(
    root,
    (error, events) => {
      if (error !== null || closing.signal.aborted) return;
      for (const { path } of events) {
        // A file that is gone again or unreadable is not worth an error.
        if (freshness.check(path, nothingKnown) !== "never-read") look(path).catch(() => {});
      }
    },
    { ignore: ["**/node_modules/**", "**/.git/**"] },
  );
  return {
    async close() {
      closing.abort();
      await subscription.unsubscribe();
    },
  };
}

const nothingKnown: FileVersion = { stamp: "" };

async function importWatcher(): Promise<typeof import("@parcel/watcher")> {
  try {
    return (await import("@parcel/watcher")).default;
  } catch (cause) {
    const message = "watching files requires the package @parcel/watcher, which is not installed";
    const hint = "Install @parcel/watcher, or turn watchFiles off.";
    throw new ToolError("unavailable", message, { hint, cause });
  }
}

async function versionOf(path: string, signal: AbortSignal): Promise<FileVersion | undefined> {
  try {
    const handle = await open(path);
    try {
      const stats = await handle.stat({ bigint: true });
      const hash = await hashSource(handle, { sizeBytes: Number(stats.size), signal });
      return { hash, stamp: fileStamp(stats) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
