import { defined } from "../../../shared/options/defined.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { type PageRange, takePage } from "../../../tool/builtin/fit-page.ts";
import type { FoundLine, GrepQuery, Search, SearchResult } from "../../../tool/services/search.ts";

/** The most results ever collected, even if a higher limit is given. */
export const maxResults = 10_000;

type AroundQuery = GrepQuery & { readonly before: number; readonly after: number };

interface FindOptions {
  readonly search: Search;
  readonly mode: FoundMatches["mode"];
  readonly offset: number;
  /** 0: as many as possible. */
  readonly limit: number;
  readonly maxOutputCharacters: number;
}

/** One page of matching lines, of files with a match, or of match counts per file. */
export function findMatches(query: AroundQuery, options: FindOptions): Promise<FoundMatches> {
  const { search, mode, limit, ...range } = options;
  const place = { search, page: { ...range, limit: limit === 0 ? maxResults : limit } };
  // Only lines have others around them.
  const { before: _before, after: _after, ...everywhere } = query;
  switch (mode) {
    case "content":
      return findLines(query, place);
    case "files_with_matches":
      return findFiles(everywhere, place);
    case "count":
      return countMatches(everywhere, place);
  }
}

export type FoundMatches = Awaited<ReturnType<typeof findLines | typeof findFiles | typeof countMatches>>;

interface FindPlace {
  readonly search: Search;
  readonly page: PageRange;
}

async function findLines(query: AroundQuery, { search, page }: FindPlace) {
  const found = await search.grep({ ...query, maxLines: maxResults });
  // Each line may have a `--` before it.
  const shown = takePage(found.lines, page, (line) => lineText(line).length + "\n--\n".length);
  const context = shown.filter(({ kind }) => kind === "context");
  return {
    mode: "content" as const,
    matches: shown.filter(({ kind }) => kind === "match"),
    // The lines around the matches of this page, if any were asked for.
    ...defined({ context: context.length > 0 ? context : undefined }),
    ...describePage({ ...found, query, page, total: found.lines.length, shown: shown.length }),
    ...defined({ overlong: found.overlong || undefined }),
  };
}

async function findFiles(query: GrepQuery, { search, page }: FindPlace) {
  const found = await search.grepFiles({ ...query, maxFiles: maxResults });
  const paths = found.files.map(({ path }) => path);
  const files = takePage(paths, page, (path) => quoteControls(path).length + 1);
  const hasMore = found.totalFiles > maxResults;
  return {
    mode: "files_with_matches" as const,
    files,
    ...describePage({ ...found, query, page, total: found.files.length, shown: files.length, hasMore }),
  };
}

async function countMatches(query: GrepQuery, { search, page }: FindPlace) {
  const found = await search.grepCounts({ ...query, maxFiles: maxResults });
  const counts = takePage(found.files, page, (file) => countText(file).length + 1);
  const hasMore = found.totalFiles > maxResults;
  return {
    mode: "count" as const,
    counts,
    totalMatches: found.totalMatches,
    ...describePage({ ...found, query, page, total: found.files.length, shown: counts.length, hasMore }),
  };
}

interface FoundPage extends SearchResult {
  readonly query: GrepQuery;
  readonly page: PageRange;
  readonly total: number;
  readonly shown: number;
  /** There are more results than `maxResults`. */
  readonly hasMore: boolean;
}

function describePage({ query, page, path, total, shown, hasMore, unreadable }: FoundPage) {
  const { pattern, glob, type } = query;
  return {
    pattern,
    path,
    ...defined({ glob, type }),
    offset: page.offset,
    // Collected lines of output, over all pages.
    total,
    truncated: hasMore || page.offset + shown < total,
    capped: hasMore,
    ...defined({ unreadable: unreadable || undefined }),
  };
}

/** Writes a line as grep prints it: `path:line:text` for a match, `path-line-text` for context. */
export function lineText(line: FoundLine): string {
  const mark = line.kind === "match" ? ":" : "-";
  return `${quoteControls(line.path)}${mark}${line.line}${mark}${markMatches(line)}`;
}

export function countText({ path, matches }: { readonly path: string; readonly matches: number }): string {
  return `${quoteControls(path)}:${matches}`;
}

function markMatches({ text, matches, cutBefore, cutAfter }: FoundLine): string {
  let marked = "";
  let done = 0;
  for (const [from, to] of matches) {
    marked += `${text.slice(done, from)}>>${text.slice(from, to)}<<`;
    done = to;
  }
  const before = cutBefore > 0 ? `(${countOf(cutBefore, "character")}) …` : "";
  const after = cutAfter > 0 ? `… (${countOf(cutAfter, "more character")})` : "";
  return `${before}${marked}${text.slice(done)}${after}`;
}
