import { collectStrings, mapStrings } from "../text/map-strings.ts";

const placeholder = /\{\{secret:([^{}]*)\}\}/g;

/** Where a text names secrets: `{{secret:NAME}}`. */
export function placeholdersIn(text: string): { name: string; pos: number; end: number }[] {
  if (!text.includes("{{secret:")) return [];
  return [...text.matchAll(placeholder)].map((match) => ({
    name: match[1]!,
    pos: match.index,
    end: match.index + match[0].length,
  }));
}

/** The names of all secrets in a value, at any depth. */
export function secretNamesIn(value: unknown): string[] {
  const names = new Set<string>();
  const look = (text: string) => {
    for (const { name } of placeholdersIn(text)) names.add(name);
    return true;
  };
  collectStrings(value, { name: look, text: look });
  return [...names];
}

/** The value with secrets in the place of their names. Unknown names stay as they are. */
export function fillSecrets<Value>(value: Value, secrets: ReadonlyMap<string, string>): Value {
  return mapStrings(value, { text: (text) => fillText(text, secrets) }) as Value;
}

export function fillText(text: string, secrets: ReadonlyMap<string, string>): string {
  return text.replace(placeholder, (whole, name: string) => secrets.get(name) ?? whole);
}
