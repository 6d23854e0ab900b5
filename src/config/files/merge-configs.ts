import type { ConfigFile } from "../../runtime-options.ts";

/**
 * Options of several files. Lists are joined, groups of options are merged, and of everything else the later one counts as
 * a whole: half of one server's entry and half of another's would send the credentials of one to the other.
 */
export function mergeConfigs(...configs: readonly ConfigFile[]): ConfigFile {
  const merged = new Map<string, unknown>();
  for (const config of configs) {
    for (const [name, value] of Object.entries(config)) {
      const isWhole = name === "dialect" || name === "workspace";
      merged.set(name, isWhole ? value : mergeOption(merged.get(name), value));
    }
  }
  return Object.fromEntries(merged);
}

function mergeOption(earlier: unknown, later: unknown): unknown {
  if (!isObject(earlier) || !isObject(later)) return joinLists(earlier, later);
  const merged = new Map(Object.entries(earlier));
  for (const [name, value] of Object.entries(later)) merged.set(name, joinLists(merged.get(name), value));
  return Object.fromEntries(merged);
}

function joinLists(earlier: unknown, later: unknown): unknown {
  return Array.isArray(earlier) && Array.isArray(later) ? [...new Set([...earlier, ...later])] : later;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
