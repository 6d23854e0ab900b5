import { realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { AnyTool } from "../../../tool/define-tool.ts";
import { isTool } from "../is-tool.ts";
import { adaptClassicTool } from "./classic-tool.ts";
import type { FileProblem, ToolFile } from "./scan-tool-folder.ts";

/** A tool file after it was imported: its tool, or what is wrong with it, or a tool with something to put right. */
export interface LoadedToolFile {
  readonly file: ToolFile;
  readonly tool?: AnyTool;
  readonly problem?: FileProblem;
}

export async function loadToolFile(file: ToolFile): Promise<LoadedToolFile> {
  const subject = file.relativePath;
  try {
    const exported = await importFresh(file.path, file.fingerprint);
    const tool = toTool(exported, file.name);
    const mismatch = describeMismatch(exported, file);
    if (mismatch === undefined) return { file, tool };
    return { file, tool, problem: { subject, message: mismatch, severity: "warning" } };
  } catch (error) {
    return { file, problem: { subject, message: error instanceof Error ? error.message : String(error) } };
  }
}

/**
 * The default export of a file as it is now, even if an older version was imported before.
 * What the file itself imports stays as it was first read: Node has no way to unload a module.
 */
async function importFresh(path: string, version: string): Promise<unknown> {
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

function toTool(exported: unknown, name: string): AnyTool {
  if (Array.isArray(exported)) throw new TypeError("a file holds one tool, not a list of them");
  if (isTool(exported)) return { ...exported, name };
  if (typeof exported !== "object" || exported === null) {
    throw new TypeError(
      "there is no tool here: export one made with defineTool as default, or assign it to module.exports",
    );
  }
  return adaptClassicTool(exported, name);
}

function describeMismatch(exported: unknown, { name, action }: ToolFile): string | undefined {
  const declared = (exported as { name?: unknown }).name;
  if (declared === undefined || declared === action) return undefined;
  const isComposed = declared === name || declared === `internal_${name}`;
  const why = isComposed ? "the rest of the name comes from the path" : `the path gives the name ${name}`;
  return `the file declares the name ${JSON.stringify(declared)}; declare "${action}", ${why}`;
}
