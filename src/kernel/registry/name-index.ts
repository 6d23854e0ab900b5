import { defined } from "../../shared/options/defined.ts";
import {
  type AliasHolder,
  type NameHolders,
  type NameRefusal,
  refuseAlias,
  refuseName,
  type TakenNames,
} from "./name-rules.ts";
import type { RegisteredTool } from "./registry.ts";
import { type Layer, layers, type ToolSource, type VersionedTool } from "./tool-source.ts";

/** Which tool has each name, and which tools it hides. */
export interface NameIndex extends NameHolders {
  /** Adds a tool. Returns why the tool, or an alias of it, was left out. */
  add(source: Pick<ToolSource, "id" | "layer">, provided: VersionedTool): readonly NameRefusal[];
  /** What `add` would refuse. */
  check(source: Pick<ToolSource, "id" | "layer">, provided: VersionedTool): readonly NameRefusal[];
  names(): Iterable<string>;
  aliases(): Iterable<string>;
  /** The tools that are not hidden by another, in the order in which they were added. */
  winners(): readonly RegisteredTool[];
}

export function createNameIndex(takenName: TakenNames): NameIndex {
  // Maps, because names come from outside and may equal members of every object, such as `constructor`.
  const byName = new Map<string, RegisteredTool[]>();
  const byAlias = new Map<string, AliasHolder[]>();
  const all: RegisteredTool[] = [];
  const holders = (name: string) => byName.get(name) ?? [];
  const aliasHolders = (alias: string) => byAlias.get(alias) ?? [];
  const view = { holders, aliasHolders, takenName };

  const check: NameIndex["check"] = (source, provided) => {
    const refusal = refuseName(source, provided, view);
    if (refusal !== undefined) return [refusal];
    return provided.tool.aliases
      .map((alias) => refuseAlias(alias, source, provided, view))
      .filter((each) => each !== undefined);
  };
  const add: NameIndex["add"] = (source, provided) => {
    const refusals = check(source, provided);
    if (refusals.some(({ kind }) => kind === "name")) return refusals;
    const { tool, group, override, versionOf } = provided;
    const from = { source: source.id, layer: source.layer };
    const known = defined({ group, versionOf, override: override === true ? override : undefined });
    const entry: RegisteredTool = { name: tool.name, tool, ...from, ...known };
    all.push(entry);
    insertByLayer(byName, tool.name, entry);
    const refusedAliases = new Set(refusals.map(({ name }) => name));
    for (const alias of tool.aliases) {
      if (!refusedAliases.has(alias)) insertByLayer(byAlias, alias, { tool: tool.name, ...from });
    }
    return refusals;
  };
  return {
    add,
    check,
    ...view,
    names: () => byName.keys(),
    aliases: () => byAlias.keys(),
    winners: () => all.filter((entry) => byName.get(entry.name)?.[0] === entry),
  };
}

/** Highest layer first; within a layer the newer one first, because only an override gets here. */
function insertByLayer<Holder extends { layer: Layer }>(
  map: Map<string, Holder[]>,
  name: string,
  holder: Holder,
): void {
  const holders = map.get(name);
  if (holders === undefined) {
    map.set(name, [holder]);
    return;
  }
  const rank = layers.indexOf(holder.layer);
  const position = holders.findIndex((other) => layers.indexOf(other.layer) <= rank);
  holders.splice(position === -1 ? holders.length : position, 0, holder);
}
