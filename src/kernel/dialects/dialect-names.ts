import type { Dialect } from "./dialect.ts";

/** Every name and alias that a dialect has for a built-in tool, with the tool's canonical name. */
export function dialectNames(dialect: Dialect): [spokenName: string, canonicalName: string][] {
  return Object.entries(dialect.tools).flatMap(([canonicalName, { name, aliases = [] }]) =>
    [name, ...aliases].map((spokenName): [string, string] => [spokenName, canonicalName]),
  );
}
