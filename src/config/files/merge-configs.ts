import type { ConfigFile } from "./config-options.ts";

/** Options of several files: lists are joined, objects merged, and of other values the later one counts. */
export function mergeConfigs(...configs: readonly ConfigFile[]): ConfigFile {
  return configs.reduce<ConfigFile>((merged, config) => mergeObjects(merged, config) as ConfigFile, {});
}

function mergeObjects(earlier: object, later: object): object {
  const merged = new Map(Object.entries(earlier));
  for (const [key, value] of Object.entries(later)) merged.set(key, mergeValues(merged.get(key), value));
  return Object.fromEntries(merged);
}

function mergeValues(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...new Set([...earlier, ...later])];
  if (isObject(earlier) && isObject(later)) return mergeObjects(earlier, later);
  return later;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
