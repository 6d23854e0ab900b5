/**
 * The keys that an options object may contain, at every depth. An unknown key would be an option, perhaps a limit, that
 * silently has no effect; `refuseUnknownKeys` turns it into an error.
 */
export type Shape =
  /** A text, a number, a function, or an object that is not ours: its content is not looked at. */
  | { readonly kind: "value" }
  | ObjectShape
  /** A list of objects. */
  | { readonly kind: "list"; readonly of: Shape }
  /** An object with names that the caller chooses. */
  | { readonly kind: "map"; readonly of: Shape; readonly orValue: boolean };

export interface ObjectShape<Key extends string = string> {
  readonly kind: "object";
  readonly keys: Readonly<Record<Key, Shape>>;
  /** Something other than an object may be given instead, such as a path. */
  readonly orValue: boolean;
}

/** The shape of text, numbers, functions and lists of these. */
export const value = { kind: "value" } as const;

/** The shape of objects that others define, which are checked, if at all, where they are used. */
export const foreign = value as Foreign;

/** The keys of an object. TypeScript refuses a table that lacks one of the type's keys, or has another. */
export function knownKeys<Options extends object>(
  keys: KeyTable<Options>,
  { orValue = false } = {},
): ObjectShape<KeyOf<Options>> {
  return { kind: "object", keys: keys as ObjectShape<KeyOf<Options>>["keys"], orValue };
}

export function mapOf<Inner extends Shape>(of: Inner, { orValue = false } = {}) {
  return { kind: "map", of, orValue } as const;
}

export function listOfShape<Inner extends Shape>(of: Inner) {
  return { kind: "list", of } as const;
}

export type KeyTable<Options> = { readonly [Key in KeyOf<Options>]: ShapeOf<ValueAt<Options, Key>> };

/** The keys of all members of a union. */
type KeyOf<Options> = Options extends unknown ? keyof Options & string : never;

type ValueAt<Options, Key> = Options extends unknown
  ? Key extends keyof Options
    ? Options[Key]
    : never
  : never;

type Plain = string | number | boolean | bigint | symbol | null | undefined | AnyFunction | readonly Plain[];
type AnyFunction = (...given: never[]) => unknown;

/** Objects have to be described too, or called foreign; no other value has inner keys. */
export type ShapeOf<Value> =
  ObjectIn<Value> extends never ? { readonly kind: "value" } : InnerShape<ObjectIn<Value>>;

type ObjectIn<Value> = Exclude<Value, Plain>;

type InnerShape<Value> =
  | Foreign
  | ([Value] extends [readonly (infer Item)[]]
      ? { readonly kind: "list"; readonly of: ShapeOf<Item> }
      : [string] extends [KeyOf<Value>]
        ? { readonly kind: "map"; readonly of: ShapeOf<ValueAt<Value, string>>; readonly orValue: boolean }
        : ObjectShape<KeyOf<Value>>);

export type Foreign = { readonly kind: "value"; readonly [isForeign]: true };
declare const isForeign: unique symbol;
