import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { Layer } from "../registry/index.ts";

/**
 * Another system's names and units for the same tools, as a user may write them. Everything here is data: the translation
 * in `dialect-view.ts` is the only code, and it knows no dialect by name.
 */
export interface DialectDefinition {
  readonly name: string;
  /**
   * Whether path arguments must be absolute, for tools called by a name of this dialect. If so, the paths in the
   * results of all offered tools are absolute too, so that the next call can use them; otherwise, and by default, they
   * are relative to the workspace.
   */
  readonly pathPolicy?: "absolute" | "any";
  /** By canonical tool name. */
  readonly tools: Readonly<Record<string, DialectTool>>;
  /** Prefix for the names of tools from a layer, as in `internal_` + name. */
  readonly prefixes?: Readonly<Partial<Record<Layer, string>>>;
  /** Tools of these layers are offered under their first alias, unless another tool has that name. */
  readonly offersAliasOf?: readonly Layer[];
  /** Default: 30,000 characters, 80 % of them from the beginning. */
  readonly output?: OutputLimit;
  /** The form in which the model reads a result. Default: the tool's own words. */
  readonly text?: ResultText;
  /** How many calls of one batch run at a time. Default: 10. */
  readonly maxConcurrentCalls?: number;
  /**
   * The `data` of a failed call, made of its `code`, `message`, `hint`, `retryable`, `tool` and `partial`, the data of
   * its work so far. Default: `partial` alone.
   */
  readonly failure?: ResultFields;
  readonly messages?: MessageTemplates;
}

export interface Dialect extends DialectDefinition {
  readonly pathPolicy: "absolute" | "any";
  readonly output: OutputLimit;
  /** The limit that the runtime's options set for a tool, by canonical name; it counts more than any other. */
  readonly limitOf?: (toolName: string) => number | undefined;
}

/** `{message}`, `{name}` and `{count}` are filled in. Without a template the message is in the runtime's own words. */
export interface MessageTemplates {
  readonly failed?: string;
  readonly unknownTool?: string;
  /** Logged while a folder of tool files is loaded: how many were found, each tool, and how many could be loaded. */
  readonly filesFound?: string;
  readonly toolLoaded?: string;
  readonly toolsLoaded?: string;
}

/** How much text the model gets, and which share of it from the beginning; the middle is cut. */
export interface OutputLimit {
  readonly maxCharacters: number;
  readonly headShare: number;
}

/** `json`: the result's data as JSON, in the place of the tool's own words. */
export type ResultText = "json" | "words";

export interface DialectTool {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Default: the tool's own group. */
  readonly group?: string;
  readonly description?: string;
  /** By canonical parameter name; a parameter not named here keeps its name, `null` hides it. */
  readonly params?: DialectParams;
  /** Parameters that the tool does not have, by name. */
  readonly ownParams?: Readonly<Record<string, OwnParam>>;
  /** Overrides the dialect's own limit. */
  readonly output?: OutputLimit;
  /** Overrides the dialect's own choice. */
  readonly text?: ResultText;
  /** The result's `data` in the dialect's shape. Without it `data` stays as it is. */
  readonly result?: ResultFields;
  /** The original system's description of its tool, beside or instead of the tool's traits. It has no effect here. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export type DialectParams = Readonly<Record<string, DialectParam | null>>;

export interface DialectParam {
  readonly name?: string;
  /** Names that are accepted in its place, and not shown. */
  readonly otherNames?: readonly string[];
  readonly description?: string;
  /** Replaces the default, in the dialect's unit; `null` removes it and makes the parameter required. */
  readonly default?: unknown;
  /** Hides the parameter; the tool always gets this, in its own terms. */
  readonly fixed?: unknown;
  /** The dialect counts from this number, the tool from 1. */
  readonly countsFrom?: 0 | 1;
  /** The dialect's unit; the tool takes milliseconds. */
  readonly unit?: "seconds" | "milliseconds";
  /** The dialect's words for the tool's own, for a parameter with a fixed choice. */
  readonly words?: Readonly<Record<string, string>>;
  /** True and false change places: the dialect asks for the opposite. */
  readonly isNegated?: true;
  /** For a list of objects: their fields. */
  readonly items?: DialectParams;
}

/** A parameter of the dialect alone. Without `appendsTo` it is checked and has no effect. */
export interface OwnParam {
  readonly schema: JsonSchema;
  readonly isRequired?: boolean;
  /** The canonical parameter, a text, to which a given value is added as a paragraph. */
  readonly appendsTo?: string;
}

/** Dialect field → where its value comes from. A field whose source is missing is left out. */
export type ResultFields = { readonly [field: string]: ResultSource };

export type ResultSource =
  /** A dotted path in the tool's data. */
  | string
  /** Always the same. */
  | { readonly value: unknown }
  /** The argument for a canonical parameter, as the caller counts it. */
  | { readonly input: string }
  /** How many characters or entries something has, or how many lines. */
  | { readonly lengthOf: string | { readonly input: string } }
  | { readonly linesOf: string | { readonly input: string } }
  /** The tool's words, as the model would read them. */
  | { readonly text: true }
  /** One word in the place of another; `otherwise` for those that are not listed, which stay without it. */
  | { readonly from: string; readonly words: Readonly<Record<string, string>>; readonly otherwise?: string }
  /** A list of these, without those that are missing. */
  | { readonly entries: readonly ResultSource[] }
  /** An object inside, unless all of its fields are missing. */
  | { readonly fields: ResultFields }
  /** A list of objects, or of one value of each. */
  | { readonly list: string; readonly fields: ResultFields }
  | { readonly list: string; readonly item: ResultSource };

/** Every name and alias that a dialect has for a built-in tool, with the tool's canonical name. */
export function dialectNames(dialect: Dialect): [spokenName: string, canonicalName: string][] {
  return Object.entries(dialect.tools).flatMap(([canonicalName, { name, aliases = [] }]) =>
    [name, ...aliases].map((spokenName): [string, string] => [spokenName, canonicalName]),
  );
}
