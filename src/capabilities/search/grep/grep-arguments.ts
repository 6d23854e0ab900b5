import type { GrepQuery } from "../../../tool/services/search.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { readFilter } from "../read-glob.ts";
import type { SearchPlace } from "../search-place.ts";
import { nameArguments, walkArguments } from "../walk-arguments.ts";

/** What to search for, and in which files. Each value is joined to its option, so it cannot be taken for an option. */
export function grepArguments(query: GrepQuery, place: SearchPlace): string[] {
  const { pattern, type, glob, literal, ignoreCase, multiline } = query;
  for (const [name, value] of Object.entries({ pattern, type })) {
    // A program's arguments cannot contain NUL.
    if (value?.includes("\0")) throw new ToolError("invalid-input", `the ${name} contains a NUL character`);
  }
  return [
    ...walkArguments(query, place),
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    // Makes `$` match before CRLF as well.
    "--crlf",
    ...(literal ? ["--fixed-strings"] : []),
    ...(multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(type === undefined ? nameArguments(glob) : [`--type=${type}`]),
    `--regexp=${pattern}`,
  ];
}

/**
 * Tells which files of a search count: those that match its glob and may be shown. A file that was requested needs no
 * match.
 */
export function createFileTest(
  { glob }: GrepQuery,
  { root, mayShow }: SearchPlace,
): (name: string) => boolean {
  const isWanted = glob === undefined ? () => true : readFilter(glob);
  return (name) => (root.onlyName !== undefined || isWanted(name)) && mayShow(name);
}
