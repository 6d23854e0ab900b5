import type { Layer } from "../registry/tool-source.ts";

/**
 * Another system's names and units for the same tools. Everything here is data: the translation in
 * `dialect-view.ts` is the only code, and it knows no dialect by name.
 */
export interface Dialect {
  readonly name: string;
  /** Whether path arguments must be absolute. Applies to tools called by a name of this dialect. */
  readonly pathPolicy: "absolute" | "any";
  /** By canonical tool name. */
  readonly tools: Readonly<Record<string, DialectTool>>;
  /** Prefix for the names of tools from a layer, as in `internal_` + name. */
  readonly prefixes?: Readonly<Partial<Record<Layer, string>>>;
  /** Tools of these layers are offered under their first alias, unless another tool has that name. */
  readonly offersAliasOf?: readonly Layer[];
  readonly output: OutputLimit;
  /** Message templates; `{message}` and `{name}` are filled in. Without a template the message stays as it is. */
  readonly messages?: { readonly failed?: string; readonly unknownTool?: string };
}

/** How much text the model gets, and which share of it from the beginning; the middle is cut. */
export interface OutputLimit {
  readonly maxCharacters: number;
  readonly headShare: number;
}

export interface DialectTool {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description?: string;
  /** By canonical parameter name; a parameter not named here keeps its name, `null` hides it. */
  readonly params?: Readonly<Record<string, DialectParam | null>>;
  /** Overrides the dialect's own limit. */
  readonly output?: OutputLimit;
  /**
   * The result's `data` under the dialect's field names: dialect field → canonical field, a dotted path,
   * or `{ list, fields }` for a list of objects. Without it `data` stays as it is.
   */
  readonly result?: ResultFields;
}

export interface DialectParam {
  readonly name?: string;
  readonly description?: string;
  /** Replaces the default, in the dialect's unit; `null` removes it and makes the parameter required. */
  readonly default?: unknown;
  /** The dialect counts from this number, the tool from 1. */
  readonly countsFrom?: 0 | 1;
  /** The dialect's unit; the tool takes milliseconds. */
  readonly unit?: "seconds" | "milliseconds";
}

export type ResultFields = {
  readonly [field: string]: string | { readonly list: string; readonly fields: ResultFields };
};
