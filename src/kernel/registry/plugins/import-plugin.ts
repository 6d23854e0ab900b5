import { readFile } from "node:fs/promises";
import { createRequire, findPackageJSON } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isPlainObject } from "../../../shared/json.ts";
import type { Shape } from "../../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { importCode, withinLoadTime } from "../load-code.ts";
import type { PluginOf } from "./plugin.ts";

/** Loads a plugin by package name, path or file URL. Its default export is the plugin or a function that creates it. */
export async function importPlugin(specifier: string, { folder, keys }: { folder: string; keys: Shape }) {
  try {
    const address = await resolvePlugin(specifier, folder);
    const { default: exported } = await importCode<{ default?: unknown }>(address);
    const plugin =
      typeof exported === "function" ? await withinLoadTime<unknown>(() => exported()) : exported;
    return parsePlugin(plugin, keys);
  } catch (cause) {
    throw new Error(`plugin ${specifier} cannot be loaded: ${describeThrown(cause)}`, { cause });
  }
}

export function parsePlugin(value: unknown, keys: Shape): PluginOf {
  if (typeof value !== "object" || value === null)
    throw new TypeError("a plugin must be an object with a name");
  const { name, version, tools, dependencies } = value as Partial<PluginOf>;
  if (typeof name !== "string" || name === "") throw new TypeError("a plugin must have a name");
  refuseUnknownKeys(value, keys, `plugin ${name}`);
  if (tools !== undefined && !Array.isArray(tools))
    throw new TypeError(`plugin ${name}: tools must be a list`);
  if (version !== undefined && typeof version !== "string")
    throw new TypeError(`plugin ${name}: version must be a text`);
  if (dependencies !== undefined && !Array.isArray(dependencies)) {
    throw new TypeError(`plugin ${name}: dependencies must be a list of plugin names`);
  }
  return value as PluginOf;
}

/** The URL to import a plugin from. Paths are relative to the folder, and packages are looked up from it. */
async function resolvePlugin(specifier: string, folder: string): Promise<string> {
  if (specifier.startsWith("file:")) return specifier;
  if (specifier.startsWith(".") || isAbsolute(specifier)) {
    return pathToFileURL(resolve(folder, specifier)).href;
  }
  const place = join(resolve(folder), "plugins.js");
  try {
    return pathToFileURL(createRequire(place).resolve(specifier)).href;
  } catch (error) {
    // Only `require` can resolve from a given folder, but it ignores entries that are for `import` alone.
    const entry = await findImportEntry(specifier, place);
    if (entry === undefined) throw error;
    return pathToFileURL(entry).href;
  }
}

async function findImportEntry(specifier: string, place: string): Promise<string | undefined> {
  const packagePath = findPackage(specifier, place);
  if (packagePath === undefined) return undefined;
  const description: unknown = JSON.parse(await readFile(packagePath, "utf8"));
  const exported = isPlainObject(description) ? description.exports : undefined;
  const main = isPlainObject(exported) && Object.hasOwn(exported, ".") ? exported["."] : exported;
  const entry = chooseTarget(main);
  return entry === undefined ? undefined : resolve(packagePath, "..", entry);
}

function findPackage(specifier: string, place: string): string | undefined {
  try {
    return findPackageJSON(specifier, place);
  } catch {
    return undefined;
  }
}

/** Like Node: the first condition that holds, in the order in which the package lists them. */
function chooseTarget(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (!isPlainObject(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const chosen = importConditions.has(condition) ? chooseTarget(inner) : undefined;
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

const importConditions: ReadonlySet<string> = new Set(["node", "import", "default"]);
