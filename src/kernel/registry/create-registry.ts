import { defined } from "../../shared/options/defined.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
import {
  type AliasHolder,
  type NameRefusal,
  refuseAlias,
  refuseName,
  type TakenNames,
} from "./name-rules.ts";
import { type NameExplanation, type RegisteredTool, type Registry, registerKeys } from "./registry.ts";
import {
  type Layer,
  layers,
  type ProvidedTool,
  type SourceProblem,
  type ToolSource,
  type VersionedTool,
} from "./tool-source.ts";

interface Slot {
  readonly source: ToolSource;
  started: boolean;
}

/** Merges all sources into one list of names; `name-rules.ts` decides who may take which name. */
export function createRegistry({ takenName = () => undefined }: RegistryOptions = {}): Registry {
  const slots: Slot[] = [];
  const registered = new Map<Layer, ProvidedTool[]>();
  let { index, clashes } = mergeSources([], takenName);
  let closed = false;
  const listeners = new Set<() => void>();
  let listed: { revision: number; tools: readonly RegisteredTool[] } | undefined;

  const startedSources = () => slots.filter(({ started }) => started).map(({ source }) => source);
  const rebuild = () => {
    ({ index, clashes } = mergeSources(startedSources(), takenName));
    noteChange();
  };
  const noteChange = () => {
    registry.revision += 1;
    for (const listener of listeners) listener();
  };
  const refuseWhenClosed = () => {
    if (closed) throw new ToolError("unavailable", "the registry is closed");
  };
  const refuseClashes = (source: ToolSource) => {
    const { refusals } = mergeSources([...startedSources(), source], takenName);
    throwFirst(refusals.get(source.id) ?? []);
  };
  const findExact = (name: string) => index.holders(name)[0];
  // An alias stands for a name, so it leads to the tool that has that name now.
  const findAlias = (alias: string) => {
    const holder = index.aliasHolders(alias)[0];
    return holder && findExact(holder.tool);
  };
  /** Ordered by layer, then by source, then as the source lists them, so that the same tools give the same list. */
  const list = () => {
    const { revision } = registry;
    if (listed?.revision !== revision) listed = { revision, tools: index.winners().toSorted(byLayer) };
    return listed.tools;
  };

  const registry: { -readonly [Key in keyof Registry]: Registry[Key] } = {
    findExact,
    list,
    find: (name) => findExact(name) ?? findAlias(name),
    explain(name) {
      const builtIn = takenName(name, "builtin")?.tool;
      return explainName(name, index, {
        exact: findExact(name),
        aliased: findAlias(name),
        builtIn: builtIn === undefined ? undefined : findExact(builtIn),
      });
    },
    problems: () => [...startedSources().flatMap((source) => source.problems?.() ?? []), ...clashes],
    absenceOf(name) {
      for (const source of startedSources()) {
        const absence = source.absenceOf?.(name);
        if (absence !== undefined) return absence;
      }
      return undefined;
    },
    revision: 0,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    register(tool, options = {}) {
      refuseWhenClosed();
      refuseUnknownKeys(options, registerKeys, "register");
      const { override = false, layer = "made" } = options;
      const provided = { tool, override };
      throwFirst(index.check(layer, provided));
      refuseHidden(index, tool.name, layer);
      const tools = registered.get(layer) ?? [];
      tools.push(provided);
      if (!registered.has(layer))
        slots.push({ source: { id: registeredId, layer, tools: () => tools }, started: true });
      registered.set(layer, tools);
      // Added to the existing index: merging again for every tool would take quadratic time.
      index.add({ id: registeredId, layer }, provided);
      noteChange();
    },

    async addSource(source) {
      refuseWhenClosed();
      if (slots.some((slot) => slot.source.id === source.id)) {
        throw new ToolError("already-exists", `the tool source ${source.id} has already been added`);
      }
      // Gets its place before it starts, so that the order of the calls decides, not which source starts fastest.
      const slot: Slot = { source, started: false };
      slots.push(slot);
      try {
        await source.start?.(() => {
          if (slot.started && !closed) rebuild();
        });
        await stopOnError(source, () => {
          refuseWhenClosed();
          if (source.strict === true) refuseClashes(source);
        });
      } catch (error) {
        slots.splice(slots.indexOf(slot), 1);
        throw error;
      }
      slot.started = true;
      rebuild();
    },

    async close() {
      if (closed) return;
      closed = true;
      await stopAll(startedSources().reverse());
    },
  };
  return registry;
}

interface RegistryOptions {
  /** The built-in tool that a name belongs to in some dialect, for a tool of this layer. */
  readonly takenName?: TakenNames;
}

const registeredId = "registered";

function throwFirst([refusal]: readonly NameRefusal[]): void {
  if (refusal !== undefined) throw new ToolError(refusal.code, refusal.message, { hint: refusal.hint });
}

/**
 * Refuses a tool that another one would hide: sources merge by priority, but a tool that is registered by itself was
 * meant to be called.
 */
function refuseHidden(index: NameIndex, name: string, layer: Layer): void {
  const holder = index.holders(name)[0];
  if (holder === undefined || layers.indexOf(holder.layer) <= layers.indexOf(layer)) return;
  const message = `${name} is already provided by ${holder.source}, which comes first`;
  throw new ToolError("already-exists", message, { hint: "Choose another name." });
}

async function stopOnError(source: ToolSource, check: () => void): Promise<void> {
  try {
    check();
  } catch (error) {
    await source.stop?.();
    throw error;
  }
}

function byLayer(left: RegisteredTool, right: RegisteredTool): number {
  return layers.indexOf(left.layer) - layers.indexOf(right.layer);
}

async function stopAll(sources: readonly ToolSource[]): Promise<void> {
  const errors: unknown[] = [];
  for (const source of sources) await source.stop?.().catch((error: unknown) => errors.push(error));
  if (errors.length > 0)
    throw new AggregateError(errors, `${countOf(errors.length, "tool source")} did not stop`);
}

/** The tool that has a name and the ones it hides, or else similar names. */
function explainName(
  name: string,
  index: NameIndex,
  { exact, aliased, builtIn }: Readonly<Record<"exact" | "aliased" | "builtIn", RegisteredTool | undefined>>,
): NameExplanation {
  const found = exact ?? builtIn ?? aliased;
  if (found === undefined) {
    return { name, shadowed: [], nearest: nearestNames(name, [...index.names(), ...index.aliases()]) };
  }
  const { tool, source, layer } = found;
  const sameName = exact === undefined ? [] : index.holders(name).slice(1);
  const byDialect = exact === undefined || builtIn === undefined || builtIn === exact ? [] : [builtIn];
  const byAlias = found === aliased ? index.aliasHolders(name).slice(1) : [];
  const byName = [...sameName, ...byDialect].map((each) => ({ ...each, tool: each.name }));
  return {
    name,
    providedBy: { tool: tool.name, source, layer, asAlias: exact === undefined },
    shadowed: [...byName, ...byAlias].map(({ tool, source, layer }) => ({ tool, source, layer })),
    nearest: [],
  };
}

/**
 * Reads all sources, lowest layer first, so that every name is checked against those in lower layers. Returns refusals by the
 * id of their source, and as problems to show.
 */
function mergeSources(sources: readonly ToolSource[], takenName: TakenNames) {
  const index = createNameIndex(takenName);
  const refusals = new Map<string, NameRefusal[]>();
  for (const layer of layers) {
    for (const source of sources) {
      if (source.layer !== layer) continue;
      const refused = source.tools().flatMap((provided) => index.add(source, provided));
      if (refused.length > 0) refusals.set(source.id, [...(refusals.get(source.id) ?? []), ...refused]);
    }
  }
  return { index, refusals, clashes: [...refusals].flatMap(([id, refused]) => refused.map(toProblem(id))) };
}

function toProblem(source: string): (refusal: NameRefusal) => SourceProblem {
  return ({ kind, name, message, hint }) => {
    const problem = { source, subject: name, message: `${message}. ${hint}` };
    return kind === "alias" ? { ...problem, severity: "warning" } : problem;
  };
}

/** Which tool has each name, and which tools it hides. */
type NameIndex = ReturnType<typeof createNameIndex>;

function createNameIndex(takenName: TakenNames) {
  // Maps, because names come from outside and may equal members of every object, such as `constructor`.
  const byName = new Map<string, RegisteredTool[]>();
  const byAlias = new Map<string, AliasHolder[]>();
  const all: RegisteredTool[] = [];
  const holders = (name: string) => byName.get(name) ?? [];
  const aliasHolders = (alias: string) => byAlias.get(alias) ?? [];
  const view = { holders, aliasHolders, takenName };

  /** The refusals that `add` would return. */
  const check = (layer: Layer, provided: VersionedTool): readonly NameRefusal[] => {
    const refusal = refuseName(provided, layer, view);
    if (refusal !== undefined) return [refusal];
    return provided.tool.aliases.flatMap((alias) => refuseAlias(alias, provided, layer, view) ?? []);
  };
  /** Adds a tool. Returns why the tool, or an alias of it, was left out. */
  const add = (source: Pick<ToolSource, "id" | "layer">, provided: VersionedTool) => {
    const refusals = check(source.layer, provided);
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
    /** The tools that are not hidden by another, in the order in which they were added. */
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
