import { quoteControls } from "../../shared/quote-controls.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { FoundLine, GrepQuery, Search } from "../../tool/search.ts";
import type { Wording } from "../../tool/wording.ts";

/** Beyond this nothing is collected, whatever was asked for. */
const maxResults = 10_000;

export default defineTool({
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
  traits: { readOnly: true, concurrencySafe: true, idempotent: true },
  searchHint: "rg ripgrep find text regex code in files",
  permission: ({ path }) => ({ action: "read", target: path }),
  async run(input, { search }): Promise<GrepOutput> {
    const { pattern, path, glob, type, literal, multiline, offset } = input;
    const query: GrepQuery = {
      ...{ pattern, path, glob, type, literal, multiline },
      ignoreCase: input.case_insensitive,
      includeIgnored: input.include_ignored,
    };
    const page = { offset, limit: input.head_limit === 0 ? maxResults : input.head_limit };
    switch (input.output_mode) {
      case "content": {
        const { context = 0 } = input;
        const around = { before: input.before ?? context, after: input.after ?? context };
        return await findLines({ ...query, ...around }, { search, page });
      }
      case "files_with_matches":
        return await findFiles(query, { search, page });
      case "count":
        return await countMatches(query, { search, page });
    }
  },
  toText: (output, wording) => [...bodyOf(output), ...notesOn(output, wording)].join("\n"),
});

type GrepOutput = LinesOutput | FilesOutput | CountsOutput;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

interface PageOutput {
  readonly pattern: string;
  readonly path: string;
  readonly offset: number;
  /** How many lines of output there are in all, as far as they were collected. */
  readonly total: number;
  readonly truncated: boolean;
  /** There is more than is ever collected. */
  readonly capped: boolean;
  readonly unreadable?: number;
}

interface LinesOutput extends PageOutput {
  readonly mode: "content";
  readonly matches: readonly FoundLine[];
  readonly overlong?: number;
}

interface FilesOutput extends PageOutput {
  readonly mode: "files_with_matches";
  readonly files: readonly string[];
}

interface CountsOutput extends PageOutput {
  readonly mode: "count";
  readonly counts: readonly { readonly path: string; readonly matches: number }[];
  readonly totalMatches: number;
}

type Around = { readonly before: number; readonly after: number };

async function findLines(
  query: GrepQuery & Around,
  { search, page }: { search: Search; page: Page },
): Promise<LinesOutput> {
  const found = await search.grep({ ...query, maxLines: maxResults });
  const isPlain = query.before === 0 && query.after === 0 && page.offset === 0 && !found.hasMore;
  const lines = isPlain ? await widen(found.lines, { query, search, page }) : found.lines;
  const matches = lines.slice(page.offset, page.offset + page.limit);
  return {
    mode: "content",
    matches,
    ...describePage({ ...found, query, page, total: lines.length, shown: matches.length }),
    ...(found.overlong > 0 && { overlong: found.overlong }),
  };
}

// A look around a single find mostly spares a second call; so much of it fits beside other results.
const maxWideCharacters = 12_000;

/** One match, or up to three, with more of what stands around them, as far as that is not too much. */
async function widen(
  lines: readonly FoundLine[],
  { query, search, page }: { query: GrepQuery & Around; search: Search; page: Page },
): Promise<readonly FoundLine[]> {
  if (lines.length === 0 || lines.length > 3) return lines;
  const widest = lines.length === 1 ? 50 : 15;
  const wide: FoundLine[] = [];
  for (const path of new Set(lines.map((line) => line.path))) {
    const around = { before: widest, after: widest, maxLines: maxResults };
    wide.push(...(await search.grep({ ...query, ...around, path })).lines);
  }
  for (const radius of [widest, 25, 10, 5, 2]) {
    const near = wide.filter((line) => radius <= widest && isNear(line, lines, radius));
    const characters = near.reduce((sum, { path, text }) => sum + path.length + text.length, 0);
    if (near.length > lines.length && near.length <= page.limit && characters <= maxWideCharacters)
      return near;
  }
  return lines;
}

function isNear({ path, line }: FoundLine, matches: readonly FoundLine[], radius: number): boolean {
  return matches.some((match) => match.path === path && Math.abs(match.line - line) <= radius);
}

async function findFiles(
  query: GrepQuery,
  { search, page }: { search: Search; page: Page },
): Promise<FilesOutput> {
  const found = await search.grepFiles({ ...query, maxFiles: maxResults });
  const files = found.files.slice(page.offset, page.offset + page.limit).map(({ path }) => path);
  const hasMore = found.totalFiles > maxResults;
  return {
    mode: "files_with_matches",
    files,
    ...describePage({ ...found, query, page, total: found.files.length, shown: files.length, hasMore }),
  };
}

async function countMatches(
  query: GrepQuery,
  { search, page }: { search: Search; page: Page },
): Promise<CountsOutput> {
  const found = await search.grepCounts({ ...query, maxFiles: maxResults });
  const counts = found.files.slice(page.offset, page.offset + page.limit);
  const hasMore = found.totalFiles > maxResults;
  return {
    mode: "count",
    counts,
    totalMatches: found.totalMatches,
    ...describePage({ ...found, query, page, total: found.files.length, shown: counts.length, hasMore }),
  };
}

function describePage(found: {
  query: GrepQuery;
  page: Page;
  path: string;
  total: number;
  shown: number;
  hasMore: boolean;
  unreadable: number;
}): PageOutput {
  const { query, page, path, total, shown, hasMore, unreadable } = found;
  return {
    pattern: query.pattern,
    path,
    offset: page.offset,
    total,
    truncated: hasMore || page.offset + shown < total,
    capped: hasMore,
    ...(unreadable > 0 && { unreadable }),
  };
}

function bodyOf(output: GrepOutput): string[] {
  if (output.total === 0) return [`No matches for ${output.pattern} in ${output.path}`];
  switch (output.mode) {
    case "content":
      return toLines(output.matches);
    case "files_with_matches":
      return output.files.map(quoteControls);
    case "count":
      return [
        ...output.counts.map(({ path, matches }) => `${quoteControls(path)}:${matches}`),
        `Total: ${output.totalMatches} in ${output.total} ${output.total === 1 ? "file" : "files"}`,
      ];
  }
}

/** `path:line:text` for a match, `path-line-text` beside one, and `--` where lines in between are not shown. */
function toLines(lines: readonly FoundLine[]): string[] {
  const hasContext = lines.some(({ kind }) => kind === "context");
  return lines.flatMap((line, index) => {
    const previous = lines[index - 1];
    const follows = previous?.path === line.path && previous.line + 1 === line.line;
    const mark = line.kind === "match" ? ":" : "-";
    const shown = `${quoteControls(line.path)}${mark}${line.line}${mark}${markMatches(line)}`;
    return hasContext && previous !== undefined && !follows ? ["--", shown] : [shown];
  });
}

function markMatches({ text, matches, cutBefore, cutAfter }: FoundLine): string {
  let marked = "";
  let done = 0;
  for (const [from, to] of matches) {
    marked += `${text.slice(done, from)}>>${text.slice(from, to)}<<`;
    done = to;
  }
  const before = cutBefore > 0 ? `(${cutBefore} characters) …` : "";
  const after = cutAfter > 0 ? `… (${cutAfter} more characters)` : "";
  return `${before}${marked}${text.slice(done)}${after}`;
}

function notesOn(output: GrepOutput, wording: Wording): string[] {
  const said: string[] = [];
  const next = output.offset + shownIn(output);
  if (next < output.total)
    said.push(
      `(Showing ${output.offset + 1}-${next} of ${output.total}. Continue with ${wording.argument("offset", next)}.)`,
    );
  if (output.capped) said.push(`(There are more than ${maxResults}; narrow the search to see others.)`);
  if (output.mode === "content" && output.overlong !== undefined)
    said.push(`(Matching lines too long to look at: ${output.overlong}.)`);
  if (output.unreadable !== undefined) said.push(`(Places that could not be read: ${output.unreadable}.)`);
  return said;
}

function shownIn(output: GrepOutput): number {
  switch (output.mode) {
    case "content":
      return output.matches.length;
    case "files_with_matches":
      return output.files.length;
    case "count":
      return output.counts.length;
  }
}
