/**
 * Makes one change, and is stopped at a boundary: `<workspace> <store> <change> <boundary> <signal>`. A boundary is a call of
 * Node's that changes files or the database: the nth of all (`12`), the nth of a kind (`renameSync:2`), or none (`0`); `told`
 * is the moment when the caller has its answer. Prints that it is ready, waits for a word, and prints what came of it.
 */
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import sqlite from "node:sqlite";

const [workspace = "", store = "", name = "", boundary = "0", signal = "SIGKILL"] = process.argv.slice(2);
let isCounting = false;
let count = 0;
const counts = new Map<string, number>();

/** Stops the process before the call, as a crash would. */
function pass(kind: string): void {
  if (!isCounting) return;
  count += 1;
  const ofKind = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, ofKind);
  if ([String(count), `${kind}:${ofKind}`].includes(boundary)) process.kill(process.pid, signal);
}

function watch(target: object, names: readonly string[]): void {
  const methods = target as Record<string, (...given: unknown[]) => unknown>;
  for (const each of names) {
    const original = methods[each]!;
    methods[each] = function (this: unknown, ...given) {
      pass(each);
      return original.apply(this, given);
    };
  }
}

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

const { openRuntime } = await import("../../src/open-runtime.ts");
const { changes } = await import("./changes.ts");
const { first, make } = changes[name]!;
const runtime = await openRuntime({ workspace, store, permissions: { mode: "edit" } });
const session = await runtime.openSession({ id: "killed" });
const done = await first?.(session);
console.log(JSON.stringify({ ready: process.pid, first: done?.callId }));
await new Promise((resolve) => process.stdin.once("data", resolve));
isCounting = true;
const { callId, status, text } = await make(session, done);
isCounting = false;
const line = `${JSON.stringify({ callId, status, text, count })}\n`;
await new Promise<void>((resolve) =>
  process.stdout.write(line, () => {
    if (boundary === "told") process.kill(process.pid, signal);
    resolve();
  }),
);
await runtime.close();
