/** Importing `node:fs` loads all of it, at the start of every command; only some of them take a lock. */
export function lazyFs(): typeof import("node:fs") {
  return process.getBuiltinModule("node:fs");
}
