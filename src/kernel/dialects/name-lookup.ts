import { cacheUntilChange } from "../../shared/cache-until-change.ts";
import type { RegisteredTool, Registry, TakenNames } from "../registry/index.ts";
import { type Dialect, type DialectTool, dialectNames } from "./dialect.ts";

/** The tool with a name. Has its dialect row if the name is the dialect's, because then the arguments are too. */
export interface LocatedTool {
  readonly entry: RegisteredTool;
  readonly row?: DialectTool;
}

export type NameLookup = ReturnType<typeof createNameLookup>;

/**
 * Finds tools by canonical name first, then by the dialect's name, then by prefixed name, then by alias. A tool that
 * overrides on purpose may take a dialect's name with its prefix.
 */
export function createNameLookup(
  dialect: Dialect,
  registry: Pick<Registry, "find" | "findExact" | "revision">,
) {
  const rows = new Map(Object.entries(dialect.tools));
  const canonicalNames = new Map(dialectNames(dialect));
  const prefixes = new Map(Object.entries(dialect.prefixes ?? {}));

  // A row describes the built-in tool, not a tool that replaced it.
  const rowOf = ({ name, layer }: RegisteredTool) => (layer === "builtin" ? rows.get(name) : undefined);

  const locateExact = (name: string): LocatedTool | undefined => {
    const entry = registry.findExact(name);
    if (entry === undefined) return undefined;
    const row = rowOf(entry);
    return row?.name === name ? { entry, row } : { entry };
  };

  const locateByDialectName = (name: string): LocatedTool | undefined => {
    const canonicalName = canonicalNames.get(name);
    const entry = canonicalName === undefined ? undefined : registry.findExact(canonicalName);
    const row = entry && rowOf(entry);
    return entry && row && { entry, row };
  };

  const locatePrefixed = (name: string): LocatedTool | undefined => {
    for (const [layer, prefix] of prefixes) {
      const entry = name.startsWith(prefix) ? registry.findExact(name.slice(prefix.length)) : undefined;
      if (entry?.layer === layer) return { entry };
    }
    return undefined;
  };

  const locateOverriding = (name: string): LocatedTool | undefined => {
    const located = canonicalNames.has(name) ? locatePrefixed(name) : undefined;
    return located?.entry.override === true ? located : undefined;
  };

  const locateByAlias = (name: string): LocatedTool | undefined => {
    const entry = registry.find(name);
    return entry && { entry };
  };

  const locate = (name: string) =>
    locateExact(name) ??
    locateOverriding(name) ??
    locateByDialectName(name) ??
    locatePrefixed(name) ??
    locateByAlias(name);

  const aliasOf = ({ tool, layer }: RegisteredTool) =>
    dialect.offersAliasOf?.includes(layer) ? tool.aliases[0] : undefined;

  const createOffer = (entry: RegisteredTool): LocatedTool & { readonly offeredName: string } => {
    const offeredName =
      rowOf(entry)?.name ?? aliasOf(entry) ?? withPrefix(entry.name, prefixes.get(entry.layer));
    const located = locate(offeredName);
    if (located?.entry.name === entry.name) return { ...located, offeredName };
    // Another tool has that name, so this one keeps its own.
    return { entry, offeredName: entry.name };
  };

  return {
    locate,
    /** The name under which a tool is offered. `locate` finds the same tool by that name. */
    offer: cacheUntilChange(() => registry.revision, createOffer),
  };
}

/** The longest name that every model vendor accepts. */
const maxNameLength = 64;

function withPrefix(name: string, prefix = ""): string {
  const prefixed = prefix + name;
  return name.startsWith(prefix) || prefixed.length > maxNameLength ? name : prefixed;
}

/**
 * Finds the built-in tool that has a name in a dialect that is spoken here. A tool that takes the name unnoticed would
 * run where the built-in one was meant. The dialect may also offer a tool with a prefix. Names of other dialects are
 * free: no caller here uses them for the built-in tool, and rules on them bind both.
 */
export function takenNamesOf(spoken: readonly Dialect[]): TakenNames {
  const known: TakenNames[] = [];
  return (name, layer) => {
    // Sessions may begin to speak further dialects.
    for (const dialect of spoken.slice(known.length)) known.push(takenIn(dialect));
    for (const find of known) {
      const taken = find(name, layer);
      if (taken !== undefined) return taken;
    }
    return undefined;
  };
}

function takenIn(dialect: Dialect): TakenNames {
  const names = new Map(dialectNames(dialect));
  const prefixes = new Map(Object.entries(dialect.prefixes ?? {}));
  return (name, layer) => {
    const prefix = prefixes.get(layer);
    const offered = prefix === undefined ? [name] : [name, prefix + name];
    const as = offered.find((each) => names.has(each));
    return as === undefined ? undefined : { tool: names.get(as)!, as };
  };
}

/** Refuses a dialect in which a tool that is there already would have a built-in tool's name. */
export function refuseTakenNames(dialect: Dialect, tools: readonly RegisteredTool[]): void {
  const takenName = takenIn(dialect);
  for (const { name, layer, source, override } of tools) {
    if (layer === "builtin" || override === true) continue;
    const taken = takenName(name, layer);
    if (taken === undefined) continue;
    const offered = taken.as === name ? "" : `would be offered as ${taken.as}, which `;
    throw new TypeError(
      `the dialect ${dialect.name} cannot be used here: the tool ${name} from ${source} ${offered}has its name for ${taken.tool}; rename the tool, or set override: true if this is intended`,
    );
  }
}
