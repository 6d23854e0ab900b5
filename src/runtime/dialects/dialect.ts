import type { Layer } from "../registry/tool-source.ts";

/**
 * One system's way of naming and counting the same tools. Everything here is data: the translation in
 * `dialect-view.ts` is the only code, and it knows no dialect by name.
 */
export interface Dialect {
  readonly name: string;
  /** Whether a path argument must be absolute; binds the tools called by a name of this dialect. */
  readonly pathPolicy: "absolute" | "any";
  /** By canonical tool name. */
  readonly tools: Readonly<Record<string, DialectTool>>;
  /** A prefix for the names of tools that come from these layers, as in `internal_` + name. */
  readonly prefixes?: Readonly<Partial<Record<Layer, string>>>;
  /** Tools of these layers are offered under their first alias, where they have one to themselves. */
  readonly offersAliasOf?: readonly Layer[];
  readonly output: OutputLimit;
  /** Message templates; `{message}`, `{name}` are filled in. Without one the message stays as it is. */
  readonly messages?: { readonly failed?: string; readonly unknownTool?: string };
}

/** How much text the model gets, and how much of it from the beginning; the middle is what goes. */
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
  /** Replaces the default, as the dialect counts; `null` takes it away and makes the parameter required. */
  readonly default?: unknown;
  /** The dialect counts from this where the tool counts from 1. */
  readonly countsFrom?: 0 | 1;
  /** The dialect's unit where the tool takes milliseconds. */
  readonly unit?: "seconds" | "milliseconds";
}

export type ResultFields = {
  readonly [field: string]: string | { readonly list: string; readonly fields: ResultFields };
};
