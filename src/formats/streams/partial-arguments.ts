import type { Fields } from "../fields.ts";
import { maxArgumentCharacters } from "../read-arguments.ts";

export type PartialArguments = ReturnType<typeof createPartialArguments>;

/** Arguments that arrive value by value, each with its path; long strings arrive in several pieces. */
export function createPartialArguments() {
  const root: Members = new Map();
  let problem: string | undefined;
  let characters = 0;

  const refuse = (why: string) => {
    problem ??= `the arguments arrived in pieces that do not fit together (${why}); call again`;
  };
  const put = (path: JsonPath, piece: Fields, isListEnd: boolean) => {
    const place = findPlace(root, path);
    if (place === undefined) return refuse("a path leads into something that is not an object or list");
    const before = place.get();
    const { stringValue, willContinue } = piece;
    if (typeof stringValue === "string") {
      characters += stringValue.length;
      if (before !== undefined && typeof before !== "string")
        return refuse("a string where another value already is");
      return place.set((before ?? "") + stringValue);
    }
    const scalar = scalarOf(piece);
    // A piece without a value ends a string or list, or stands for an empty object or list.
    if (scalar !== undefined && before !== undefined && before !== scalar)
      return refuse("two values in the same place");
    if (scalar !== undefined) return place.set(scalar);
    if (before === undefined && willContinue !== true) place.set(isListEnd ? [] : new Map());
  };

  return {
    add(piece: Fields) {
      const text = typeof piece.jsonPath === "string" ? piece.jsonPath : "";
      const isListEnd = text.endsWith("[]");
      const path = readJsonPath(isListEnd ? text.slice(0, -2) : text);
      characters += text.length;
      if (characters > maxArgumentCharacters) return refuse("they are too long");
      if (path === undefined || path.length === 0) {
        return refuse(`invalid path ${JSON.stringify(text.slice(0, 100))}`);
      }
      put(path, piece, isListEnd);
    },
    /** The arguments so far. */
    value: (): unknown => JSON.parse(JSON.stringify(root, showMembers)),
    /** Why the meaning is unclear. A call with a problem must not run. */
    get problem() {
      return problem;
    },
  };
}

/** Maps, so that a name such as `__proto__` is safe. */
type Members = Map<string, Value>;
type Value = Members | Value[] | string | number | boolean | null;

function showMembers(_name: string, value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  // `Object.fromEntries` creates own properties, whatever their names.
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

/** The place of a path; creates objects and lists on the way. Undefined if another value is in the way. */
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
  // Lists are filled in order; an index far beyond the end would create a list of any length.
  if (!Array.isArray(container) || typeof step !== "number" || step > container.length) return undefined;
  return {
    get: () => container[step],
    set(value) {
      container[step] = value;
    },
  };
}

/** A place in a document: the names and list indexes that lead there. */
type JsonPath = readonly (string | number)[];

/** Reads a path to a single place, such as `$.items[0]['the name']`; undefined for any other path. */
function readJsonPath(text: string): JsonPath | undefined {
  if (!text.startsWith("$") || text.length > maxCharacters) return undefined;
  const steps: (string | number)[] = [];
  const step = new RegExp(stepPattern, "y");
  step.lastIndex = 1;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (found === null || steps.length === maxSteps) return undefined;
    const [, member, index, single, double] = found;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(member ?? unescapeName(single ?? double ?? ""));
  }
  return steps;
}

const maxCharacters = 10_000;
const maxSteps = 200;

const stepPattern = /\.([^.[\]*'"]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/;

function unescapeName(name: string): string {
  return name.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_whole, code?: string, letter = "") =>
    code === undefined
      ? (namedEscapes.get(letter) ?? letter)
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
