import { defined } from "../../../../shared/options/defined.ts";
import { countOf } from "../../../../shared/text/count-of.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { trimEndOf } from "../../../../shared/text/trim-end-of.ts";
import { describePage, takePage } from "../../../../tool/builtin/fit-page.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type { FoundFile, NearFiles } from "../../../../tool/services/search.ts";
import type { Wording } from "../../../../tool/wording.ts";
import { foundFiles } from "../search-outputs.ts";

const maxFiles = 10_000;

export default declareTool({
  name: "search_glob",
  description:
    "Find files by path pattern, newest first, with their sizes. `*` and `?` match within a name, `**` any number of folders, `{a,b}` either, `[a-z]` one of them, a leading `!` everything else. Names that contain brackets or braces themselves, such as `app/[slug]/page.tsx`, are found too. `*.ts` searches only the folder itself, `**/*.ts` its subfolders too. Dotfiles are included. Ignored files (.gitignore) and .git, node_modules, __pycache__, vendor, dist, build are skipped unless include_ignored is set; files that may hold secrets are always skipped.",
  params: {
    pattern: {
      type: "string",
      minLength: 1,
      description: "The pattern, relative to path, such as src/**/*.{ts,tsx}",
    },
    path: {
      type: "string",
      format: "path",
      default: ".",
      description: "Path of the folder to search, relative to the workspace",
    },
    include_ignored: {
      type: "boolean",
      default: false,
      description: "Also find files that .gitignore or the default excludes skip",
    },
    offset: { type: "integer", minimum: 0, default: 0, description: "Number of files to skip" },
  },
  prompt: `Use it to find files by their names; search file contents to find text.`,
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, deferrable: false },
  output: foundFiles,
  searchHint: "find locate list files by name pattern wildcard",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run(
    { pattern, path, include_ignored: includeIgnored, offset },
    { search, maxOutputCharacters, markTruncated },
  ) {
    const found = await search.glob({ pattern, path, includeIgnored, maxFiles: offset + maxFiles });
    const { files, totalFiles, leftOut, unreadable, near } = found;
    const page = { offset, limit: maxFiles, maxOutputCharacters };
    const matches = takePage(files.map(toMatch), page, (match) => toLine(match).length + 1);
    const truncated = totalFiles > offset + matches.length;
    if (truncated) markTruncated();
    return {
      pattern,
      path: found.path,
      matches,
      ...defined({ offset: offset || undefined }),
      total: totalFiles,
      truncated,
      ...defined({ leftOut: leftOut || undefined, unreadable: unreadable || undefined, near }),
    };
  },
  toText(output, wording) {
    const lines = output.matches.map(toLine);
    if (output.total === 0)
      lines.push(`No file matches ${quoteControls(output.pattern)} in ${quoteControls(output.path)}`);
    const { pattern, matches, leftOut, unreadable, near } = output;
    const notes = near === undefined ? [] : adviceOn(near, pattern, wording);
    notes.push(...describePage({ ...output, shown: matches.length, noun: "file" }, wording));
    if (output.total === 0 && notes.length === 0 && !pattern.includes("/"))
      notes.push(
        `(Searched only the folder itself; ${wording.argument("pattern", `**/${pattern}`)} searches its subfolders too.)`,
      );
    if (leftOut !== undefined)
      notes.push(`(Skipped ${countOf(leftOut, "file")} that may hold secrets or may not be read.)`);
    if (unreadable !== undefined) notes.push(`(${countOf(unreadable, "path")} could not be read.)`);
    return [...lines, ...notes].join("\n");
  },
});

function toMatch({ path, sizeBytes, modifiedAt }: FoundFile) {
  return { path, ...defined({ size: sizeBytes, mtime: modifiedAt }) };
}

/** A path with a line break is quoted, so that it cannot look like two files. */
function toLine({ path, size }: ReturnType<typeof toMatch>): string {
  const name = quoteControls(path);
  return size === undefined ? name : `${name}  (${size} ${size === 1 ? "byte" : "bytes"})`;
}

function adviceOn({ ignored, below }: NearFiles, pattern: string, wording: Wording): string[] {
  const lines: string[] = [];
  if (ignored > 0)
    lines.push(
      `(${countOf(ignored, "ignored file")} ${ignored === 1 ? "matches" : "match"}; ${wording.argument("include_ignored", true)} finds ${ignored === 1 ? "it" : "them"}.)`,
    );
  if (below > 0)
    lines.push(
      `(It matches a folder; ${wording.argument("pattern", `${trimEndOf(pattern, "/")}/**`)} finds the files in it.)`,
    );
  return lines;
}
