/** Writes files aside, and gives none of them its name: `<folder>`. Says so when all are there. */

/** Writes files aside, and gives none of them its name: `<folder>`. Says so when all are there. */
import fs, { readdir } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { openKernelLock } from "../../../src/machine/locks/kernel-lock.ts";
import { openLockFolder } from "../../../src/machine/locks/state-base.ts";
import { until } from "../../support/until.ts";

const [folder = ""] = process.argv.slice(2);
const never = () => new Promise<void>(() => process.stdin.resume());
fs.rename = never;
fs.link = never;
syncBuiltinESMExports();
// Whoever renames under a lock waits for it.
const lock = openKernelLock(join(openLockFolder(), "pins.lock"));
lock.take();

const { asideWriters } = await import("./aside-writers.ts");
const writers = asideWriters(folder);
for (const write of Object.values(writers)) void write();
const drafts = async () =>
  (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.includes(".new_"));
await until(async () => (await drafts()).length === Object.keys(writers).length);
console.log("written");
// Its last reference would be the end of the lock.
process.stdin.once("end", () => lock.close());
