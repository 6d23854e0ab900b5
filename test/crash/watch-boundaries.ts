import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import sqlite from "node:sqlite";

/**
 * Has a signal stop this process at a boundary: a call of Node's that changes files or the database, the nth of all (`12`), the
 * nth of a kind (`renameSync:2`), or none (`0`). To be called before anything of ours is loaded.
 */
export async function watchBoundaries(
  boundary: string,
  signal: string,
): Promise<{ begin(): void; end(): number }> {
  let isCounting = false;
  let count = 0;
  const counts = new Map<string, number>();

  /** Stops the process before the call, as a crash would. */
  const pass = (kind: string) => {
    if (!isCounting) return;
    count += 1;
    const ofKind = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, ofKind);
    if ([String(count), `${kind}:${ofKind}`].includes(boundary)) process.kill(process.pid, signal);
  };
  const watch = (target: object, names: readonly string[]) => {
    const methods = target as Record<string, (...given: unknown[]) => unknown>;
    for (const each of names) {
      const original = methods[each]!;
      methods[each] = function (this: unknown, ...given) {
        pass(each);
        return original.apply(this, given);
      };
    }
  };

  const steps = ["open", "write", "rename", "unlink", "rmdir", "mkdir", "symlink", "chmod", "ftruncate"];
  watch(
    fs,
    steps.map((step) => `${step}Sync`),
  );
  watch(promises, ["open", "rename", "mkdir", "symlink", "rm", "copyFile", "utimes", "chmod"]);
  const handle = await promises.open(process.execPath);
  watch(Object.getPrototypeOf(handle), ["write", "sync", "chmod", "close"]);
  await handle.close();
  watch(sqlite.DatabaseSync.prototype, ["exec"]);
  watch(sqlite.StatementSync.prototype, ["get"]);
  syncBuiltinESMExports();
  return {
    begin() {
      isCounting = true;
    },
    end() {
      isCounting = false;
      return count;
    },
  };
}
