import type { Shape } from "../../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../../shared/options/refuse-unknown-keys.ts";
import { offerOwnPackage } from "../own-package.ts";
import { withinLoadTime } from "../within-load-time.ts";
import type { PluginOf } from "./plugin.ts";
import { resolvePlugin } from "./resolve-plugin.ts";

/** Loads a plugin by package name, path or file URL. Its default export is the plugin or a function that creates it. */
export async function importPlugin(
  specifier: string,
  { folder, keys }: { folder: string; keys: Shape },
): Promise<PluginOf> {
  offerOwnPackage();
  try {
    const address = await resolvePlugin(specifier, folder);
    const { default: exported } = await withinLoadTime<{ default?: unknown }>(() => import(address));
    const plugin =
      typeof exported === "function" ? await withinLoadTime<unknown>(() => exported()) : exported;
    return parsePlugin(plugin, keys);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`plugin ${specifier} cannot be loaded: ${why}`, { cause });
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
