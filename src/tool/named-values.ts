import type { Simplify } from "../shared/json-schema/infer.ts";

/** The values for declared names; optional where a value may be left out and has no default. */
export type NamedValues<Declared, Values extends Record<keyof Declared, unknown>> = Simplify<
  {
    -readonly [Name in keyof Declared as IsOptional<Declared[Name]> extends true
      ? never
      : Name]: Values[Name];
  } & {
    -readonly [Name in keyof Declared as IsOptional<Declared[Name]> extends true
      ? Name
      : never]?: Values[Name];
  }
>;

export type IsOptional<Declaration> = Declaration extends { readonly default: unknown }
  ? false
  : Declaration extends { readonly required: false }
    ? true
    : false;
