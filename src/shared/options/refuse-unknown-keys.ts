import { isPlainObject } from "../json.ts";
import { describeValue } from "../json-schema/describe-value.ts";
import { nearestNames } from "../text/nearest-names.ts";
import type { ObjectShape, Shape } from "./known-keys.ts";

/** Throws a TypeError for the first key that the shape does not know, with its path and the name that was meant. */
export function refuseUnknownKeys(given: unknown, shape: Shape, where: string): void {
  const problem = findUnknownKey(given, shape);
  if (problem !== undefined) throw new TypeError(`${where}: ${problem}`);
}

/** Describes an unknown key in words; undefined if all are known. Fast, because every call's options are checked. */
export function findUnknownKey(given: unknown, shape: Shape): string | undefined {
  return findIn(given, shape, { path: [], whole: shape });
}

interface Place {
  /** Changes while the object is searched. */
  readonly path: string[];
  readonly whole: Shape;
}

function findIn(given: unknown, shape: Shape, place: Place): string | undefined {
  if (given === undefined || shape.kind === "value") return undefined;
  // A value that is not a list is refused where it is used.
  if (shape.kind === "list") return Array.isArray(given) ? findInEach(given, shape.of, place) : undefined;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    if (shape.orValue) return undefined;
    const what = place.path.length === 0 ? "the options" : formatPath(place.path);
    return `${what} must be an object; received ${describeValue(given)}`;
  }
  if (shape.kind === "map") return findInEach(given as Record<string, unknown>, shape.of, place);
  return findInObject(given as Record<string, unknown>, shape, place);
}

function findInObject(given: Record<string, unknown>, shape: ObjectShape, place: Place): string | undefined {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(shape.keys, key)) {
      // An instance of a class has its own fields beside those that we read.
      if (isPlainObject(given)) return describeUnknown(key, shape, place);
      continue;
    }
    const inner = shape.keys[key]!;
    if (inner.kind === "value") continue;
    place.path.push(key);
    const found = findIn(given[key], inner, place);
    if (found !== undefined) return found;
    place.path.pop();
  }
  return undefined;
}

function findInEach(given: object, shape: Shape, place: Place): string | undefined {
  if (shape.kind === "value") return undefined;
  for (const [key, inner] of Object.entries(given)) {
    place.path.push(key);
    const found = findIn(inner, shape, place);
    if (found !== undefined) return found;
    place.path.pop();
  }
  return undefined;
}

function describeUnknown(key: string, shape: ObjectShape, { path, whole }: Place): string {
  const known = Object.keys(shape.keys);
  const [nearest] = nearestNames(key, known, 1);
  const isSpelledOtherwise = nearest?.toLowerCase() === key.toLowerCase();
  const here = nearest === undefined ? undefined : [...path, nearest];
  const meant = isSpelledOtherwise ? here : (findElsewhere(key, whole) ?? here);
  const help = meant === undefined ? `known here: ${known.join(", ")}` : `did you mean ${formatPath(meant)}?`;
  return `${formatPath([...path, key])} is not an option; ${help}`;
}

/** Where else the key is known, if that is clear: `mode` belongs to `permissions`. */
function findElsewhere(key: string, whole: Shape): readonly string[] | undefined {
  const [first, second] = pathsTo(key, whole).sort((one, other) => one.length - other.length);
  return second !== undefined && second.length === first?.length ? undefined : first;
}

function pathsTo(key: string, shape: Shape): string[][] {
  if (shape.kind === "value" || shape.kind === "list") return [];
  if (shape.kind === "map") return pathsTo(key, shape.of).map((path) => ["<name>", ...path]);
  return Object.entries(shape.keys).flatMap(([name, inner]) => [
    ...(name === key ? [[name]] : []),
    ...pathsTo(key, inner).map((path) => [name, ...path]),
  ]);
}

function formatPath(path: readonly string[]): string {
  return path.map((key) => (/^[\w$-]+$|^<name>$/.test(key) ? key : JSON.stringify(key))).join(".");
}
