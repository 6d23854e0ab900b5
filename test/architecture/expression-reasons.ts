import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findExpressions } from "./find-expressions.ts";
import { projectFolder } from "./project-files.ts";

/**
 * Expressions that look as if they could take more than linear time, and why they do not. `npm run` has no part in this
 * list: whoever adds to it has looked.
 */
export const looksSlow: Readonly<Record<string, string>> = {
  "faces/acp/read-prompt.ts: /^\\/([\\w-]+)(?:\\s+([\\s\\S]*))?$/":
    "begins at one place, and its end matches anything after a blank",
  "capabilities/agents/models/scripted-model.ts: /\\s*\\S+\\s*$|\\s*\\S+/g":
    "splits the script that the author of a test wrote",
  "faces/cli/talk/slash/slash-commands.ts: /^(\\S+)\\s+([\\s\\S]+)$/":
    "its end matches anything, so nothing is tried again",
  "faces/cli/talk/talk.ts: /^\\/(\\S*)\\s*([\\s\\S]*)$/":
    "its end matches anything, so nothing is tried again",
  "formats/streams/repair-json.ts: /^```[a-z0-9]*\\s*(.*)$/is":
    "its end matches anything, so nothing is tried again",
  "kernel/dialects/tool-form.ts: /^\\$\\.([^.[]+)(.*)$/s":
    "its end matches anything, so nothing is tried again",
  "machine/command-reading/glob-problem.ts: /\\[!?\\^?\\]?[^\\]]*\\]/g":
    "used on a text that ends with the bracket, so that every start matches",
  "kernel/policy/rules/could-match.ts: /^--|=.*$/gs": "matches at the first equals sign",
  "machine/sandbox/bubblewrap/masks.ts: /^\\S+: (?:\\S+ +){6}(.+)$/gm":
    "used on a table that the kernel writes",
  "capabilities/files/diff/file-lines.ts: /(?<line>[^\\r\\n]*)(?:\\r\\n?|\\n)|[^\\r\\n]+$/g":
    "one of the two matches wherever a line begins",
  "capabilities/web/page/read-page.ts: /^\\s{0,40}(`{3,}|~{3,})(.*)$/s":
    "its end matches anything, so nothing is tried again",
  "shared/json-schema/readings/convert-value.ts: /\\.?0+$/": "used on texts of at most 40 digits",
  'systems/migrate/moves/flyto-move.ts: /func \\(\\w* ?\\*?(\\w+)\\) Name\\(\\) string\\s*\\{\\s*return\\s+(?:"([^"\\n]*)"|`([^`]*)`)?/g':
    "used on the user's own sources, which they ask to have moved",
  "shared/text/lines-of.ts: /[^\\n]*\\n|[^\\n]+$/g": "one of the two matches wherever a line begins",
};

/** Read once for all tests. */
export const expressions = readExpressions();

async function readExpressions() {
  const folder = join(projectFolder, "src");
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith(".ts")).sort();
  return Promise.all(
    files.map(async (file) => ({
      file,
      ...findExpressions(file, await readFile(join(folder, file), "utf8")),
    })),
  );
}
