import type { Reading, Site } from "./reading.ts";
import type { Word } from "./shell-script.ts";
import type { ShellState } from "./shell-state.ts";

/**
 * The shell lists a folder to expand a pattern even outside a command's arguments, for example among a loop's values.
 * This records it as a bare redirection that reads the pattern, unless the folder is the one the script starts in.
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
