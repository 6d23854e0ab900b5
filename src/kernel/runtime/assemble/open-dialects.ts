import type { AnyTool } from "../../../tool/define-tool.ts";
import {
  checkDialect,
  createDialectView,
  type Dialect,
  type DialectDefinition,
  defaultDialect,
  dialectOfModel,
  dialects,
  findDialect,
  outputLimits,
  refuseTakenNames,
  ruleNames,
} from "../../dialects/index.ts";
import type { Registry } from "../../registry/index.ts";
import {
  createToolSearch,
  limitTools,
  type ToolAccess,
  type ToolFilter,
  type ToolSearchParts,
} from "../../tool-search/index.ts";
import type { BuiltinTools } from "../builtin-tools.ts";
import type { RuntimeOptions } from "../runtime-options.ts";
import type { NamedSessionOptions } from "../session.ts";

/** The dialects that the sessions of a runtime speak. */
export type RuntimeDialects = ReturnType<typeof openDialects>;

/** The tools as the sessions of one dialect see them. */
export interface SpokenDialect extends ToolAccess {
  /** Its name. */
  readonly dialect: string;
  /** The tools as a caller sees them that may use only some. */
  readonly limitTools: (allows: ToolFilter) => ToolAccess;
}

/** Each dialect is prepared when a session first speaks it, and is then added to `spoken`. */
export function openDialects({ builtin, registry, spoken, options, beforeSearch }: DialectsParts) {
  const usual = options.dialect === auto ? auto : spoken[0]!.name;
  const prepared = new Map<string, SpokenDialect>();
  const checked = new WeakMap<object, Dialect>();
  const names = ruleNames(spoken, { ...builtin.roles, registry, nearest: (name) => nearest(name) });
  const limitOf = outputLimits(options.output ?? {}, names);

  const prepare = (dialect: Dialect): SpokenDialect => {
    const limited = { ...dialect, limitOf };
    const view = createDialectView(limited, registry);
    const searching = { ...builtin.roles, registry, view, limits: options.deferral ?? {} };
    return {
      dialect: dialect.name,
      view,
      limitTools: (allows) => limitTools(allows, { ...searching, dialect: limited }),
      toolSearch: createToolSearch({ ...searching, beforeSearch }),
    };
  };
  const add = (dialect: Dialect): Dialect => {
    refuseTakenNames(dialect, registry.list());
    spoken.push(dialect);
    return dialect;
  };
  const speak = (name: string): SpokenDialect => {
    const known = prepared.get(name);
    if (known !== undefined) return known;
    const made = prepare(spoken.find((each) => each.name === name) ?? add(findDialect(name)));
    prepared.set(name, made);
    return made;
  };
  /** Makes a dialect known by its name, once. */
  const bring = (given: DialectDefinition): string => {
    const dialect = checked.get(given) ?? ownDialect(given, { builtin, others: [...dialects, ...spoken] });
    checked.set(given, dialect);
    const known = spoken.find(({ name }) => name === dialect.name);
    if (known === undefined) add(dialect);
    else if (JSON.stringify(known) !== JSON.stringify(dialect))
      throw new TypeError(
        `another dialect is already called ${dialect.name} here; give this one another name`,
      );
    return dialect.name;
  };
  const { nearest } = speak(spoken[0]!.name).view;

  return {
    /** The names that rules may use. */
    names,
    /** Throws a TypeError if there is no such dialect, or it cannot be used with the tools that are here. */
    speak,
    /**
     * The name of the dialect for a session: the one that its options name, or else the one that it was last opened with.
     * Throws like `speak`.
     */
    choose({ id, dialect: given, model }: NamedSessionOptions, recorded: string | undefined): string {
      const wanted = typeof given === "object" ? bring(given) : (given ?? recorded ?? usual);
      const isKnown = [...spoken, ...dialects].some(({ name }) => name === wanted);
      if (wanted === recorded && given === undefined && !isKnown)
        throw new TypeError(
          `session ${id} was last opened with the dialect ${wanted}, which is not known here; open it with the definition of ${wanted}, or with another dialect`,
        );
      return speak(wanted === auto ? dialectOfModel(model) : wanted).dialect;
    },
  };
}

interface DialectsParts {
  readonly builtin: BuiltinTools;
  readonly registry: Registry;
  /** The dialects whose names no tool may take by accident; at first only the runtime's own. */
  readonly spoken: Dialect[];
  readonly options: Pick<RuntimeOptions, "dialect" | "output" | "deferral">;
  readonly beforeSearch: NonNullable<ToolSearchParts["beforeSearch"]>;
}

const auto = "auto";

/** The dialect of a runtime, as far as it is known before a session tells its model. */
export function runtimeDialect(
  { dialect = defaultDialect }: Pick<RuntimeOptions, "dialect">,
  builtin: BuiltinTools,
): Dialect {
  if (typeof dialect === "object") return ownDialect(dialect, { builtin, others: dialects });
  return findDialect(dialect === auto ? dialectOfModel(undefined) : dialect);
}

function ownDialect(
  given: DialectDefinition,
  { builtin, others }: { readonly builtin: BuiltinTools; readonly others: readonly Dialect[] },
): Dialect {
  const tools = new Map<string, AnyTool>(builtin.tools.map((tool) => [tool.name, tool]));
  const dialect = checkDialect(given, { tools, others });
  if (dialects.some(({ name }) => name === dialect.name))
    throw new TypeError(`a dialect called ${dialect.name} is built in; give yours another name`);
  return dialect;
}
