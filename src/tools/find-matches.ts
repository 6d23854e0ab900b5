import type { FoundLine, GrepQuery, Search } from "../tool/services/search.ts";

/** The most results ever collected, even if a higher limit is given. */
export const maxResults = 10_000;

type AroundQuery = GrepQuery & { readonly before: number; readonly after: number };

interface FindOptions {
  readonly search: Search;
  readonly mode: FoundMatches["mode"];
  readonly offset: number;
  /** 0: as many as possible. */
  readonly limit: number;
}

/** One page of matching lines, of files with a match, or of match counts per file. */
export function findMatches(query: AroundQuery, options: FindOptions): Promise<FoundMatches> {
  const { search, mode, offset, limit } = options;
  const place = { search, page: { offset, limit: limit === 0 ? maxResults : limit } };
  switch (mode) {
    case "content":
      return findLines(query, place);
    case "files_with_matches":
      return findFiles(query, place);
    case "count":
      return countMatches(query, place);
  }
}

export type FoundMatches = LinesOutput | FilesOutput | CountsOutput;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

interface PageOutput {
  readonly pattern: string;
  readonly path: string;
  readonly offset: number;
  /** Collected lines of output, over all pages. */
  readonly total: number;
  readonly truncated: boolean;
  /** There are more results than `maxResults`. */
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

async function findLines(
  query: AroundQuery,
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

// Context around a lone match usually saves a second call; this much fits beside other results.
const maxWideCharacters = 12_000;

/** Adds the lines around one to three matches, as many as fit. */
async function widen(
  lines: readonly FoundLine[],
  { query, search, page }: { query: AroundQuery; search: Search; page: Page },
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
