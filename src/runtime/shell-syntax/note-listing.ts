import type { Reading, Site } from "./reading.ts";
import type { Word } from "./shell-script.ts";
import type { ShellState } from "./shell-state.ts";

/**
 * Where a pattern stands in no command's arguments, as among the values of a loop, the shell still lists a folder for it.
 * That is told as a bare redirection which reads it, unless it is the folder the script starts in.
 */
export function noteListing(
  word: Word,
  { reading, site, state }: { reading: Reading; site: Site; state: ShellState },
): void {
  const directory = state.directories?.[0];
  if (word.kind !== "glob" || (directory === "." && !word.pattern.includes("/"))) return;
  reading.commands.push({
    text: word.source,
    words: [],
    assignments: [],
    redirects: [{ operator: "<", target: word }],
    pipeline: { id: reading.newPipeline(), position: 0, length: 1 },
    ...(directory !== undefined && { directory }),
    ...(site.inside !== undefined && { inside: site.inside }),
    around: site.around,
  });
}
