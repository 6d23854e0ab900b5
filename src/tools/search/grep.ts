import { declareTool } from "../../tool/define-tool.ts";
import { describeMatches } from "../describe-matches.ts";
import { findMatches } from "../find-matches.ts";

export default declareTool({
  name: "search_grep",
  description:
    "Search file contents with a regular expression (ripgrep syntax, no look-around or back-references). Matched text is marked >>like this<<. What .gitignore leaves out and .git, node_modules, __pycache__, vendor, dist, build are skipped unless include_ignored; binary files and, unless named as path, files that may hold secrets are skipped.",
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
      description: "Path of the folder or file to search, relative to the workspace",
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
      description: "Only files of this type as ripgrep knows it, such as ts, py, go, rust, md",
    },
    output_mode: {
      type: "string",
      enum: ["content", "files_with_matches", "count"],
      default: "content",
      description: "The matching lines, the paths of files with a match (newest first), or matches per file",
    },
    context: {
      type: "integer",
      minimum: 0,
      maximum: 1000,
      required: false,
      description: "Lines to show before and after each match; one to three matches bring some by themselves",
    },
    before: {
      type: "integer",
      minimum: 0,
      maximum: 1000,
      required: false,
      description: "Lines before each match",
    },
    after: {
      type: "integer",
      minimum: 0,
      maximum: 1000,
      required: false,
      description: "Lines after each match",
    },
    case_insensitive: {
      type: "boolean",
      default: false,
      description: "Take small and capital letters alike",
    },
    literal: { type: "boolean", default: false, description: "Take the pattern as plain text" },
    multiline: { type: "boolean", default: false, description: "Let a match span lines" },
    offset: { type: "integer", minimum: 0, default: 0, description: "How many lines of output to skip" },
    head_limit: {
      type: "integer",
      minimum: 0,
      default: 250,
      description: "How many lines of output to give at most; 0 for as many as possible",
    },
    include_ignored: {
      type: "boolean",
      default: false,
      description: "Also search what .gitignore and the default excludes leave out",
    },
  },
  traits: { readOnly: true, concurrencySafe: true, idempotent: true, deferrable: false },
  searchHint: "rg ripgrep find text regex code in files",
  permission: ({ path }) => ({ action: "read", target: path }),
  run: (input, { search }) => {
    const { pattern, path, glob, type, literal, multiline, offset, context = 0 } = input;
    return findMatches(
      {
        ...{ pattern, path, glob, type, literal, multiline },
        ignoreCase: input.case_insensitive,
        includeIgnored: input.include_ignored,
        before: input.before ?? context,
        after: input.after ?? context,
      },
      { search, mode: input.output_mode, offset, limit: input.head_limit },
    );
  },
  toText: describeMatches,
});
