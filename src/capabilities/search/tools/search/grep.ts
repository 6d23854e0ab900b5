import { declareTool } from "../../../../tool/define-tool.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { describeMatches } from "../describe-matches.ts";
import { findMatches } from "../find-matches.ts";
import { foundMatches } from "../search-outputs.ts";

export default declareTool({
  name: "search_grep",
  description:
    "Search file contents with a regular expression (ripgrep syntax, no look-around or backreferences). Matched text is marked >>like this<<. Ignored files (.gitignore) and .git, node_modules, __pycache__, vendor, dist, build are skipped unless include_ignored is set. Binary files are always skipped, files that may hold secrets unless path names them.",
  params: {
    pattern: {
      type: "string",
      maxLength: 50_000,
      minLength: 1,
      description: "The regular expression to search for",
    },
    path: {
      type: "string",
      format: "path",
      default: ".",
      description:
        "Path of the folder or file to search, relative to the workspace; with * a set of files, such as src/**/*.ts",
    },
    glob: {
      type: "string",
      minLength: 1,
      required: false,
      description: "Only files whose path matches, such as *.{ts,tsx}, src/**/*.py or !*.test.ts",
    },
    type: {
      type: "string",
      minLength: 1,
      required: false,
      description: "Only files of this ripgrep type, such as ts, py, go, rust, md",
    },
    output_mode: {
      type: "string",
      enum: ["content", "files_with_matches", "count"],
      default: "content",
      description:
        "Matching lines, paths of files with a match (newest first), or the number of matches per file",
    },
    context: {
      type: "integer",
      minimum: 0,
      maximum: 1000,
      required: false,
      description: "Lines to show before and after each match; none by default",
    },
    before: {
      type: "integer",
      minimum: 0,
      maximum: 1000,
      required: false,
      description: "Lines to show before each match",
    },
    after: {
      type: "integer",
      minimum: 0,
      maximum: 1000,
      required: false,
      description: "Lines to show after each match",
    },
    case_insensitive: {
      type: "boolean",
      default: false,
      description: "Ignore case",
    },
    literal: { type: "boolean", default: false, description: "Treat the pattern as plain text" },
    multiline: { type: "boolean", default: false, description: "Let a match span several lines" },
    offset: { type: "integer", minimum: 0, default: 0, description: "Number of output lines to skip" },
    head_limit: {
      type: "integer",
      minimum: 0,
      default: 250,
      description: "Maximum number of output lines; 0 for as many as possible",
    },
    include_ignored: {
      type: "boolean",
      default: false,
      description: "Also search files that .gitignore or the default excludes skip",
    },
  },
  prompt: `Search for the most specific text you know. Where many files may match, ask for their paths first, then for the lines of a few of them.
Escape characters such as ( [ . * in the pattern, or set literal.`,
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, deferrable: false },
  output: foundMatches,
  searchHint: "rg ripgrep find text regex code in files",
  permission: ({ path }) => ({ action: "read", target: filesOf(path).path }),
  async run(input, { search, maxOutputCharacters, markTruncated }) {
    const { pattern, glob, type, literal, multiline, offset, context = 0 } = input;
    if (glob !== undefined && input.path.includes("*"))
      throw new ToolError("invalid-input", "$.path has a pattern already, so $.glob cannot be given", {
        hint: "Give a folder in path, or leave glob out.",
      });
    const found = await findMatches(
      {
        ...{ pattern, glob, ...filesOf(input.path), type, literal, multiline },
        ignoreCase: input.case_insensitive,
        includeIgnored: input.include_ignored,
        before: input.before ?? context,
        after: input.after ?? context,
      },
      { search, mode: input.output_mode, offset, limit: input.head_limit, maxOutputCharacters },
    );
    if (found.truncated) markTruncated();
    return found;
  },
  toText: describeMatches,
});

/** A path with `*` is a set of files: those that match the rest of it, below the folder before the first `*`. */
function filesOf(path: string): { readonly path: string; readonly glob?: string } {
  if (!path.includes("*")) return { path };
  const folderEnd = path.slice(0, path.indexOf("*")).lastIndexOf("/");
  const folder = folderEnd === 0 ? "/" : path.slice(0, Math.max(folderEnd, 0));
  return { path: folder === "" ? "." : folder, glob: `/${path.slice(folderEnd + 1)}` };
}
