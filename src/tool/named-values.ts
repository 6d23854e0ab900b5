import type { Simplify } from "../shared/json-schema/infer.ts";

/** The values of what is declared by name; those that may be left out, and that no default fills in, are optional. */
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
