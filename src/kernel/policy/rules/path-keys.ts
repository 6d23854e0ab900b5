import { literalOf } from "../../../shared/glob/compile-segment.ts";
import { readingsOf } from "./path-readings.ts";

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
