/** A place in a document: the names and list indexes that lead there. */
export type JsonPath = readonly (string | number)[];

/** Reads a path to a single place, such as `$.items[0]['the name']`; undefined for any other path. */
export function readJsonPath(text: string): JsonPath | undefined {
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
