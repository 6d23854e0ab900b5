import type { Dialect } from "./runtime/dialects/dialect.ts";
import { createDialectView } from "./runtime/dialects/dialect-view.ts";
import { defaultDialect, findDialect } from "./runtime/dialects/dialects.ts";
import { dialectOfModel } from "./runtime/dialects/model-dialects.ts";
import { outputLimits } from "./runtime/dialects/output-limits.ts";
import { ruleNames } from "./runtime/dialects/rule-names.ts";
import { refuseTakenNames } from "./runtime/dialects/taken-names.ts";
import type { RuleNames } from "./runtime/policy/rules/parse-rules.ts";
import type { Registry } from "./runtime/registry/registry.ts";
import { limitTools, type ToolAccess } from "./runtime/tool-search/limit-tools.ts";
import { createToolSearch } from "./runtime/tool-search/open-tools.ts";
import type { ToolSearchParts } from "./runtime/tool-search/session-tools.ts";
import type { ToolFilter } from "./runtime/tool-search/tool-filter.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import { builtinRoles } from "./tools/builtin-roles.ts";

/** The dialects that the sessions of a runtime speak. */
export interface RuntimeDialects {
  /** The names that rules may use. */
  readonly names: RuleNames;
  /** Throws a TypeError if there is no such dialect, or it cannot be used with the tools that are here. */
  speak(name: string): SpokenDialect;
  /** The name of the dialect for a session; throws like `speak`. */
  choose(wishes: DialectWishes): string;
}

/** The tools as the sessions of one dialect see them. */
export interface SpokenDialect extends ToolAccess {
  /** Its name. */
  readonly dialect: string;
  /** The tools as a caller sees them that may use only some. */
  readonly limitTools: (allows: ToolFilter) => ToolAccess;
}

/** What a session's dialect depends on, the strongest first. */
export interface DialectWishes {
  readonly id: string;
  readonly dialect?: string;
  /** What the session was last opened with. */
  readonly recorded: string | undefined;
  /** The name of the model that will call the tools. */
  readonly model?: string;
}

/** Each dialect is prepared when a session first speaks it, and is then added to `spoken`. */
export function openDialects({ registry, spoken, options, beforeSearch }: DialectsParts): RuntimeDialects {
  const usual = options.dialect ?? defaultDialect;
  const prepared = new Map<string, SpokenDialect>();
  const names = ruleNames(spoken, { ...builtinRoles, registry, nearest: (name) => nearest(name) });
  const limitOf = outputLimits(options.output ?? {}, names);

  const prepare = (dialect: Dialect): SpokenDialect => {
    const limited = { ...dialect, limitOf };
    const view = createDialectView(limited, registry);
    const searching = { ...builtinRoles, registry, view, limits: options.deferral ?? {} };
    return {
      dialect: dialect.name,
      view,
      limitTools: (allows) => limitTools(allows, { ...searching, dialect: limited }),
      toolSearch: createToolSearch({ ...searching, beforeSearch }),
    };
  };
  const add = (name: string): Dialect => {
    const dialect = findDialect(name);
    refuseTakenNames(dialect, registry.list());
    spoken.push(dialect);
    return dialect;
  };
  const speak = (name: string): SpokenDialect => {
    const known = prepared.get(name);
    if (known !== undefined) return known;
    const made = prepare(spoken.find((each) => each.name === name) ?? add(name));
    prepared.set(name, made);
    return made;
  };
  const { nearest } = speak(spoken[0]!.name).view;

  return {
    names,
    speak,
    choose({ id, dialect: given, recorded, model }) {
      const wanted = given ?? recorded ?? usual;
      const name = wanted === auto ? dialectOfModel(model) : wanted;
      try {
        return speak(name).dialect;
      } catch (cause) {
        if (given !== undefined || recorded === undefined || !(cause instanceof TypeError)) throw cause;
        throw new TypeError(
          `session ${id} was last opened with the dialect ${recorded}, which is not available here: ${cause.message}; open it with another dialect`,
          { cause },
        );
      }
    },
  };
}

export interface DialectsParts {
  readonly registry: Registry;
  /** Those whose names no tool may take by accident; at first only the runtime's own. */
  readonly spoken: Dialect[];
  readonly options: Pick<RuntimeOptions, "dialect" | "output" | "deferral">;
  readonly beforeSearch: NonNullable<ToolSearchParts["beforeSearch"]>;
}

const auto = "auto";

/** The dialect of a runtime, as far as it is known before a session tells its model. */
export function runtimeDialect({ dialect = defaultDialect }: Pick<RuntimeOptions, "dialect">): Dialect {
  return findDialect(dialect === auto ? dialectOfModel(undefined) : dialect);
}
