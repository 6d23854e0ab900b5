import type { GrepQuery } from "../../../../tool/services/search.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { nameArguments } from "../name-arguments.ts";
import type { SearchRoot } from "../search-root.ts";
import { walkArguments } from "../walk-arguments.ts";

/** What to look for and in which files. Each value stands in one argument with its option, so none can become one. */
export function grepArguments(query: GrepQuery, root: SearchRoot): string[] {
  const { pattern, type, glob, literal, ignoreCase, multiline } = query;
  refuseNul({ pattern, type });
  return [
    ...walkArguments({ ...query, ...root }),
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    // `$` means the end of a line on every system.
    "--crlf",
    ...(literal ? ["--fixed-strings"] : []),
    ...(multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(type === undefined ? nameArguments(glob) : [`--type=${type}`]),
    `--regexp=${pattern}`,
  ];
}

/** No argument of a program can hold one. */
function refuseNul(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value?.includes("\0")) throw new ToolError("invalid-input", `the ${name} contains a NUL character`);
  }
}
