import { realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/**
 * The default export of a file as it is now, even if an older version was imported before.
 * What the file itself imports stays as it was first read: Node has no way to unload a module.
 */
export async function importFresh(path: string, version: string): Promise<unknown> {
  const realPath = await realpath(path);
  // CommonJS modules are kept by path, ES modules by address; each needs its own way past the cache.
  delete createRequire(import.meta.url).cache[realPath];
  const url = pathToFileURL(realPath);
  url.searchParams.set("version", version);
  const module: { default?: unknown } = await import(url.href);
  return unwrapDefault(module.default);
}

/** Compilers write the default export of a module turned into CommonJS as a property of its exports. */
function unwrapDefault(exported: unknown): unknown {
  const isCompiled =
    typeof exported === "object" && exported !== null && "__esModule" in exported && "default" in exported;
  return isCompiled ? exported.default : exported;
}
