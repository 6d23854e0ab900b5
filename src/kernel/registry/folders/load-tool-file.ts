import { readFile, realpath } from "node:fs/promises";
import { createRequire, findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import { isTool } from "../is-tool.ts";
import { asModule, importCode } from "../load-code.ts";
import { adaptClassicTool } from "./classic-tool.ts";
import type { FileProblem, ToolFile } from "./scan-tool-folder.ts";
import type { ToolFolder } from "./tool-folder.ts";

/** An imported tool file: its tool, a problem, or both (a warning about a usable tool). */
export interface LoadedToolFile {
  readonly file: ToolFile;
  readonly tool?: AnyTool;
  /** The file says that its tool takes another tool's name on purpose. */
  readonly override?: boolean;
  readonly problem?: FileProblem;
}

export async function loadToolFile(
  file: ToolFile,
  folder: Omit<ToolFolder, "path"> = {},
): Promise<LoadedToolFile> {
  const subject = file.relativePath;
  try {
    const { exported, override } = await importFresh(file.path, file.fingerprint);
    const loaded = { file, tool: toTool(exported, file.name, folder), override };
    const message = describeMismatch(exported, file);
    return message === undefined ? loaded : { ...loaded, problem: { subject, message, severity: "warning" } };
  } catch (error) {
    return { file, problem: { subject, message: describeThrown(error) } };
  }
}

/**
 * The default export of the file's current version, even if an older version was imported before.
 * The modules that it imports stay as first loaded: Node cannot unload a module.
 */
async function importFresh(path: string, version: string): Promise<{ exported: unknown; override: boolean }> {
  const realPath = await realpath(path);
  // CommonJS modules are cached by path, ES modules by URL; each cache needs its own way around.
  delete createRequire(import.meta.url).cache[realPath];
  const url = pathToFileURL(realPath);
  url.searchParams.set("version", version);
  if (await isMisread(realPath)) url.searchParams.set(asModule.name, asModule.value);
  const module = await importCode<{ default?: unknown; override?: unknown }>(url.href);
  const exported = unwrapDefault(module.default);
  const { override } = (exported ?? {}) as { override?: unknown };
  return { exported, override: module.override === true || override === true };
}

/**
 * Whether the nearest package.json makes Node take a file for CommonJS although it is an ES module. `npm init` writes
 * such a file, and Node then looks at no syntax.
 */
async function isMisread(path: string): Promise<boolean> {
  const description = /\.[jt]s$/.test(path) ? findPackageJSON(pathToFileURL(path)) : undefined;
  if (description === undefined) return false;
  const [about, text] = await Promise.all([readFile(description, "utf8"), readFile(path, "utf8")]);
  return /"type"\s*:\s*"commonjs"/.test(about) && /^export\s+(?:default\b|\{)/m.test(text);
}

/** Compilers to CommonJS write a default export as the property `default` of the exports. */
function unwrapDefault(exported: unknown): unknown {
  const isCompiled =
    typeof exported === "object" && exported !== null && "__esModule" in exported && "default" in exported;
  return isCompiled ? exported.default : exported;
}

function toTool(exported: unknown, name: string, folder: Omit<ToolFolder, "path">): AnyTool {
  if (Array.isArray(exported)) throw new TypeError("a file must export one tool, not a list");
  if (isTool(exported)) return { ...exported, name };
  if (typeof exported === "object" && exported !== null) return adaptClassicTool(exported, name, folder);
  throw new TypeError(
    "no tool found: export one made with defineTool as default, or assign it to module.exports",
  );
}

function describeMismatch(exported: unknown, { name, action }: ToolFile): string | undefined {
  const declared = (exported as { name?: unknown }).name;
  if (declared === undefined || declared === action) return undefined;
  const isComposed = declared === name || declared === `internal_${name}`;
  const why = isComposed ? "the rest of the name comes from the path" : `the path gives the name ${name}`;
  return `the file declares the name ${JSON.stringify(declared)}; change it to "${action}": ${why}`;
}
