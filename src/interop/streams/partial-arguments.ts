import type { Fields } from "../fields.ts";
import { maxArgumentCharacters } from "../read-arguments.ts";
import { type JsonPath, readJsonPath } from "./json-path.ts";

/** Arguments that come value by value, each with the path that it belongs to; long texts come in several pieces. */
export interface PartialArguments {
  add(piece: Fields): void;
  /** As far as they came. */
  value(): unknown;
  /** Why nobody can know what is meant. What has one is not to be run. */
  readonly problem: string | undefined;
}

export function createPartialArguments(): PartialArguments {
  const root: Members = new Map();
  let problem: string | undefined;
  let characters = 0;

  const refuse = (why: string) => {
    problem ??= `the arguments came in pieces that do not fit together (${why}); call again`;
  };
  const put = (path: JsonPath, piece: Fields, isListEnd: boolean) => {
    const place = findPlace(root, path);
    if (place === undefined) return refuse("one leads into what is no object or list");
    const before = place.get();
    const { stringValue, willContinue } = piece;
    if (typeof stringValue === "string") {
      characters += stringValue.length;
      if (before !== undefined && typeof before !== "string")
        return refuse("a text in another value's place");
      return place.set((before ?? "") + stringValue);
    }
    const scalar = scalarOf(piece);
    // Without a value it says that a text or a list has ended, or that something is there with nothing in it.
    if (scalar !== undefined && before !== undefined && before !== scalar)
      return refuse("two values in a place");
    if (scalar !== undefined) return place.set(scalar);
    if (before === undefined && willContinue !== true) place.set(isListEnd ? [] : new Map());
  };

  return {
    add(piece) {
      const text = typeof piece.jsonPath === "string" ? piece.jsonPath : "";
      const isListEnd = text.endsWith("[]");
      const path = readJsonPath(isListEnd ? text.slice(0, -2) : text);
      characters += text.length;
      if (characters > maxArgumentCharacters) return refuse("there are too many");
      if (path === undefined || path.length === 0) {
        return refuse(`there is no place ${JSON.stringify(text.slice(0, 100))}`);
      }
      put(path, piece, isListEnd);
    },
    value: () => JSON.parse(JSON.stringify(root, showMembers)),
    get problem() {
      return problem;
    },
  };
}

/** Maps, since a name such as `__proto__` is one like any other. */
type Members = Map<string, Value>;
type Value = Members | Value[] | string | number | boolean | null;

function showMembers(_name: string, value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  // Members of an object that is made of entries are its own, whatever they are called.
  return Object.fromEntries(value);
}

function scalarOf(piece: Fields): number | boolean | null | undefined {
  const { numberValue, boolValue } = piece;
  if (typeof numberValue === "number") return numberValue;
  if (typeof boolValue === "boolean") return boolValue;
  return "nullValue" in piece ? null : undefined;
}

interface Place {
  get(): Value | undefined;
  set(value: Value): void;
}

/** The place that a path leads to; objects and lists on the way are made. Undefined where something else is in it. */
function findPlace(root: Members, path: JsonPath): Place | undefined {
  let place: Place | undefined;
  let container: Value | undefined = root;
  for (const step of path) {
    if (place !== undefined) {
      container = place.get();
      if (container === undefined) {
        container = typeof step === "number" ? [] : new Map();
        place.set(container);
      }
    }
    place = placeIn(container, step);
    if (place === undefined) return undefined;
  }
  return place;
}

function placeIn(container: Value | undefined, step: string | number): Place | undefined {
  if (container instanceof Map && typeof step === "string") {
    return { get: () => container.get(step), set: (value) => void container.set(step, value) };
  }
  // Lists are filled in their order; a place far beyond the end would make one of any length.
  if (!Array.isArray(container) || typeof step !== "number" || step > container.length) return undefined;
  return {
    get: () => container[step],
    set(value) {
      container[step] = value;
    },
  };
}
