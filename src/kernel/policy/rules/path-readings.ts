import { literalOf } from "../../../shared/glob/compile-segment.ts";
import { expandBraces } from "../../../shared/glob/expand-braces.ts";
import { GlobError } from "../../../shared/glob/glob-error.ts";
import { type GlobToken, readTokens } from "../../../shared/glob/read-tokens.ts";

/** Expands a rule's pattern into patterns without braces, relative to the root of the workspace or disk. */
export function readingsOf(glob: string): readonly string[] {
  const alternatives = expandBraces(markStars(glob.replace(/^\//, ""))).map(unmarkStars);
  if (alternatives.length > 1 && alternatives.some(hasNoName)) throw lacksName();
  const folders = glob.includes("**/{") ? alternatives.flatMap(findFolder) : [];
  const readings = [...alternatives, ...folders].flatMap(readingsOfBrackets);
  if (readings.length > maxReadings) throw hasTooMany();
  return readings;
}

const maxReadings = 1000;

/** Stars that become neighbours only by expanding braces, as in `{*,a}*`, mean one `*`, not `**`. */
function markStars(glob: string): string {
  return glob.replace(/\\.|\*+/gs, (found) => (found === "*" ? "\0" : found));
}

function unmarkStars(glob: string): string {
  return glob.replace(/\0+/g, "*");
}

function hasNoName(alternative: string): boolean {
  return alternative.split("/").some((name) => name === "" || name === "." || name === "..");
}

/** `folder/**` also matches the folder itself; so does `folder/**` followed by a name from braces such as `{.,}*`. */
function findFolder(alternative: string): readonly string[] {
  const folder = /^(.+?)(?:\/\*\*)+\/\*$/s.exec(alternative)?.[1];
  return folder === undefined ? [] : [folder];
}

/** Names such as `[id].ts` are common, so brackets without a range also match literally. */
function readingsOfBrackets(glob: string): readonly string[] {
  let readings = [""];
  for (const token of readTokens(glob)) {
    const texts = isPlainClass(token) ? [token.text, literally(token.text)] : [token.text];
    readings = readings.flatMap((reading) => texts.map((text) => reading + text));
    if (readings.length > maxReadings) throw hasTooMany();
  }
  return readings;
}

function isPlainClass(token: GlobToken): boolean {
  if (token.kind !== "class" || token.characters.isNegated) return false;
  return token.characters.ranges.every(([from, to]) => from === to);
}

function literally(text: string): string {
  return text.replace(/\\.|[*?[\]]/gs, (found) => (found.length === 1 ? `\\${found}` : found));
}

function lacksName(): GlobError {
  return new GlobError(
    "with its braces expanded, the path contains an empty, . or .. name; write separate rules",
  );
}

function hasTooMany(): GlobError {
  return new GlobError(
    `the braces and brackets expand to more than ${maxReadings} patterns; write several rules`,
  );
}

/** Something that every path a pattern matches has: a name among its folders and file, or the end of its last name. */
export type PathKey = { readonly name: string } | { readonly extension: string };

/** One key for each reading of a pattern; undefined if some reading matches paths that have nothing in common. */
export function keysOf(glob: string): readonly PathKey[] | undefined {
  const keys = readingsOf(glob).map(keyOf);
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function keyOf(reading: string): PathKey | undefined {
  const segments = reading.split("/").filter((segment) => segment !== "");
  const names = segments.flatMap((segment) => literalOf(segment) ?? []).filter((name) => name !== ".");
  if (names.length > 0) return { name: rarestOf(names) };
  const extension = extensionIn(segments.at(-1) ?? "");
  return extension === undefined ? undefined : { extension };
}

/** What every name that matches ends with after its last dot, as in `*.ts` and `*.d.ts`. */
function extensionIn(pattern: string): string | undefined {
  const star = pattern.lastIndexOf("*");
  const tail = pattern.slice(star + 1);
  if (star === -1 || pattern.includes("\\") || /[?[\]]/.test(tail) || !pattern.includes("."))
    return undefined;
  const [first, ...rest] = tail.split(".");
  if (rest.length > 2 || (rest.length === 2 && first !== "")) return undefined;
  return (rest.at(-1) ?? first) || undefined;
}

/** The longest of some names, which is probably the rarest. */
export function rarestOf(names: readonly string[]): string {
  return names.reduce((rarest, name) => (name.length > rarest.length ? name : rarest), "");
}

/** The part of a name after its last dot. */
export function extensionOf(name: string): string | undefined {
  const dot = name.lastIndexOf(".");
  return dot === -1 ? undefined : name.slice(dot + 1);
}
