import { oneLine } from "../../shared/text/one-line.ts";
import type { FoundTool, MissingTool, ToolCatalogue } from "../../tool/services/tool-catalogue.ts";
import type { SessionView } from "../../tool/tool-context.ts";
import type { DialectView } from "../dialects/index.ts";
import type { RegisteredTool, Registry } from "../registry/index.ts";
import { acting } from "../services/index.ts";
import type { Deferral } from "./deferral.ts";
import type { ToolIndex } from "./tool-index.ts";

/** Which tools one session's model is offered. */
export type SessionTools = ReturnType<typeof createSessionTools>;

/** The parts of tool search that all sessions of a runtime share. */
export interface ToolSearchParts {
  readonly registry: Pick<Registry, "list" | "findExact" | "revision">;
  readonly view: DialectView;
  readonly index: ToolIndex;
  readonly deferral: Deferral;
  /** The tool that a model searches with; without it, all tools are offered. */
  readonly searchTool: string;
  /** Loads tools that were not needed until now. */
  beforeSearch?(): Promise<void>;
  /** Tools that are offered anyway, because their description tells the model about something the session has. */
  wantedTools(session: SessionView): readonly string[];
}

/** The tools of which a call could pass, by the policy in effect. */
export interface ToolAllowance {
  /** Whether no call of a tool could pass; such a tool is neither offered nor found. */
  isNeverAllowed(tool: RegisteredTool): boolean;
  /** Another value after every change of the policy. */
  readonly revision: unknown;
  /** Reads policy files that have changed. */
  refresh(): Promise<void> | undefined;
}

export interface SessionToolsOptions {
  readonly allowance: ToolAllowance;
  /** A function, because the view changes. */
  readonly session: () => SessionView;
  /** Tools activated in an earlier run, with their places in the order. */
  readonly known: ReadonlyMap<string, number>;
  readonly onChange: (name: string, place: number | undefined) => void;
}

export function createSessionTools(
  { registry, view, index, deferral, searchTool, beforeSearch, wantedTools }: ToolSearchParts,
  { session, known, onChange, allowance }: SessionToolsOptions,
) {
  const { isNeverAllowed } = allowance;
  const callable = createCallableList(registry, allowance);
  const activated = new Map(known);
  let lastPlace = [...activated.values()].reduce((last, place) => Math.max(last, place), 0);
  // One order per requested list: a tool at the end of one may be in the middle of another.
  const orders = new Map<string, StableOrder>();
  // Cached: an agent asks for the whole list with every step, and it seldom changes.
  let whole: { stamp: string; revision: unknown; tools: readonly RegisteredTool[] } | undefined;
  let changes = 0;

  const orderOf = (only?: readonly string[]): StableOrder => {
    const key = only === undefined ? "" : JSON.stringify(only);
    const order = orders.get(key) ?? createStableOrder();
    orders.set(key, order);
    return order;
  };
  const resolve = (name: string): RegisteredTool | undefined => {
    const entry = view.resolve(name)?.entry;
    return entry === undefined || isNeverAllowed(entry) ? undefined : entry;
  };
  const listOf = (only?: readonly string[]): readonly RegisteredTool[] => {
    if (only === undefined) return callable();
    const names = new Set(only.map((name) => view.resolve(name)?.entry.name));
    return callable().filter(({ name }) => names.has(name));
  };
  /** For each tool in a list: whether the model has to search for it. */
  const holdingBack = (tools: readonly RegisteredTool[], order: StableOrder) => {
    const canSearch = tools.some(({ name }) => name === searchTool);
    const isOver = canSearch && deferral.isOver(tools);
    const offered = new Set([searchTool, ...wantedTools(session())]);
    // A tool that was offered once stays offered: a model must not lose a tool it works with.
    return (tool: RegisteredTool): boolean =>
      canSearch &&
      !offered.has(tool.name) &&
      deferral.mayHoldBack(tool, isOver) &&
      !activated.has(tool.name) &&
      !order.has(tool.name);
  };
  const choose = (only?: readonly string[]): readonly RegisteredTool[] => {
    const [tools, order] = [listOf(only), orderOf(only)];
    const isHeldBack = holdingBack(tools, order);
    const offered = tools.filter((tool) => !isHeldBack(tool));
    const placeOf = ({ name }: RegisteredTool) => activated.get(name) ?? 0;
    return order.arrange(offered.toSorted((left, right) => placeOf(left) - placeOf(right)));
  };
  const describe = (entry: RegisteredTool): Omit<FoundTool, "isDeferred"> => {
    const { name, description } = view.present(entry, session());
    return { name, description: oneLine(description, maxDescription) };
  };

  const select = (names: readonly string[]) => {
    const found = names.map(resolve);
    const entries = new Set(found.filter((entry) => entry !== undefined));
    return { entries: [...entries], missing: names.filter((_, place) => found[place] === undefined) };
  };
  const find = async (query: string, limit: number) => {
    const found = await index.search(query, { limit, session: session() });
    const entries = found.filter((entry) => !isNeverAllowed(entry));
    // Several words are not a misspelt name.
    const isName = /^\s*\S+\s*$/.test(query.slice(0, maxNameLength));
    return { entries, missing: entries.length === 0 && isName ? [query] : [] };
  };

  return {
    /** The tools offered now, limited to `only` if given. Activating a tool only adds at the end of the order. */
    active(only?: readonly string[]) {
      if (only !== undefined) return choose(only);
      const stamp = `${registry.revision} ${changes} ${wantedTools(session()).join()}`;
      const { revision } = allowance;
      if (whole?.stamp !== stamp || whole.revision !== revision) whole = { stamp, revision, tools: choose() };
      return whole.tools;
    },
    async search(query: string, { limit = defaultLimit }: { limit?: number } = {}) {
      if (!(limit >= 1)) throw new TypeError(`limit must be a number of at least 1; received ${limit}`);
      await Promise.all([beforeSearch?.(), allowance.refresh()]);
      const names = selectedNames(query);
      const { entries, missing } = names === undefined ? await find(query, Math.floor(limit)) : select(names);
      const tools = callable();
      const isHeldBack = holdingBack(tools, orderOf());
      return {
        tools: entries.map((entry) => ({ ...describe(entry), isDeferred: isHeldBack(entry) })),
        missing: missing.map((name, count) => describeMissing(name, count < maxGuesses ? view : undefined)),
        allActive: !tools.some(isHeldBack),
      };
    },
    /** False if there is no tool with that name, or no call of it could pass. */
    activate(name: string) {
      const entry = resolve(name);
      if (entry === undefined) return false;
      // A tool that is never deferred is already offered.
      if (activated.has(entry.name) || !deferral.mayHoldBack(entry, true)) return true;
      lastPlace += 1;
      activated.set(entry.name, lastPlace);
      changes += 1;
      onChange(entry.name, lastPlace);
      return true;
    },
    isDeferred(name: string) {
      const entry = resolve(name);
      return entry !== undefined && holdingBack(callable(), orderOf())(entry);
    },
    /** Forgets all activations. */
    reset() {
      for (const name of activated.keys()) onChange(name, undefined);
      activated.clear();
      orders.clear();
      changes += 1;
    },
  };
}

/**
 * Lists the tools of which a call could pass: one list until the tools or the policy change, so that it is measured
 * once.
 */
function createCallableList(registry: ToolSearchParts["registry"], allowance: ToolAllowance) {
  let last: { tools: number; policy: unknown; list: readonly RegisteredTool[] } | undefined;
  return () => {
    const { revision: tools } = registry;
    const { revision: policy } = allowance;
    if (last?.tools !== tools || last.policy !== policy) {
      const list = registry.list().filter((tool) => !allowance.isNeverAllowed(tool));
      last = { tools, policy, list };
    }
    return last.list;
  };
}

const defaultLimit = 10;
const maxDescription = 200;
const maxNameLength = 64;
/** Finding similar names among thousands takes time. */
const maxGuesses = 5;
const maxSelected = 50;

/** A name that no tool has, with similar names where a view is given to find them. */
function describeMissing(given: string, view: Pick<DialectView, "nearest"> | undefined): MissingTool {
  const name = oneLine(given, maxNameLength);
  return { name, nearest: view?.nearest(given.slice(0, maxNameLength)) ?? [] };
}

/** The names in `select:Read,Write`; undefined for a query in words. */
function selectedNames(query: string): string[] | undefined {
  const [, list] = /^\s*select:(.*)$/is.exec(query.slice(0, maxSelected * maxNameLength)) ?? [];
  const names = list?.split(/[,\s]+/).filter((name) => name !== "");
  return names && [...new Set(names)].slice(0, maxSelected);
}

/** An order that only grows: an item keeps its place even while it is absent. */
type StableOrder = ReturnType<typeof createStableOrder>;

function createStableOrder() {
  const places = new Map<string, number>();
  return {
    has: (name: string) => places.has(name),
    /** Known items first, in their old order, then new ones as given. */
    arrange<Item extends { readonly name: string }>(items: readonly Item[]) {
      for (const { name } of items) if (!places.has(name)) places.set(name, places.size);
      return items.toSorted((left, right) => places.get(left.name)! - places.get(right.name)!);
    },
  };
}

/** The service by which tools find and activate others for the model. */
export function catalogueOf({ search, activate }: SessionTools): ToolCatalogue {
  return { search, ...acting({ activate: async (name: string) => activate(name) }) };
}
