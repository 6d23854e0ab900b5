import { type KeyTable, knownKeys, type Shape, type ShapeOf } from "../../shared/options/known-keys.ts";
import { findUnknownKey } from "../../shared/options/refuse-unknown-keys.ts";
import type { ServiceViews } from "./service-views.ts";

/** The arguments of a service's methods that have keys, by method. */
export type MethodKeys = ReadonlyMap<string, readonly KeyedArgument[]>;

interface KeyedArgument {
  readonly position: number;
  readonly shape: Shape;
}

/**
 * Declares the keys of the options that methods take as their last argument, and of the objects that they take before it.
 * Each has its position among the arguments. TypeScript refuses a table that lacks a method.
 */
export function methodKeys<Name extends keyof ServiceViews>(
  options: OptionKeys<ServiceViews[Name]>,
  contents: ContentKeys<ServiceViews[Name]>,
): MethodKeys {
  const keyed = [
    ...(Object.entries(options) as [string, [number, KeyTable<object>]][]).map(
      ([method, [position, keys]]) => ({ method, position, shape: knownKeys(keys) as Shape }),
    ),
    ...(Object.entries(contents) as [string, [number, Shape]][]).map(([method, [position, shape]]) => ({
      method,
      position,
      shape,
    })),
  ];
  return Map.groupBy(keyed, ({ method }) => method);
}

/**
 * Describes a mistake in the options that a tool gives to a method of a service; undefined if there is none. A
 * misspelled limit would otherwise be a limit that has no effect.
 */
export function findUnknownOption(
  keys: MethodKeys,
  method: string,
  given: readonly unknown[],
): string | undefined {
  for (const { position, shape } of keys.get(method) ?? []) {
    const unknown = findUnknownKey(given[position], shape);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

type ContentKeys<View> = {
  readonly [Method in keyof View as ContentOf<View[Method]> extends never ? never : Method]-?: readonly [
    position: number,
    shape: ShapeOf<ContentOf<View[Method]>>,
  ];
};

/** Lists of objects, and objects before the last argument. */
type ContentOf<Method> = Method extends (...given: infer Given) => unknown
  ? ListOfObjects<Required<Given>[number]> | ObjectsBefore<Required<Given>>
  : never;

type ListOfObjects<Given> = Given extends readonly (infer Item)[]
  ? Item extends object
    ? Given
    : never
  : never;

type ObjectsBefore<Given> = Given extends readonly [...infer Before, unknown]
  ? PlainObject<Before[number]>
  : never;

type PlainObject<Given> = Given extends
  | readonly unknown[]
  | Uint8Array
  | AsyncIterable<unknown>
  | ((...given: never[]) => unknown)
  ? never
  : Given extends object
    ? Given
    : never;

/** Lists and bytes are content, not options. */
type OptionsOf<Method> = Method extends (...given: infer Given) => unknown
  ? Required<Given> extends readonly [...unknown[], infer Last]
    ? Last extends string | readonly unknown[] | Uint8Array | ((...given: never[]) => unknown)
      ? never
      : Last
    : never
  : never;

type OptionKeys<View> = {
  readonly [Method in keyof View as OptionsOf<View[Method]> extends never ? never : Method]-?: readonly [
    position: number,
    keys: KeyTable<OptionsOf<NonNullable<View[Method]>>>,
  ];
};
