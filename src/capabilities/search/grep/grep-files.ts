import type { FoundCounts, FoundFiles, GrepFilesQuery } from "../../../tool/services/search.ts";
import { findNames, withoutDot } from "../find-names.ts";
import { createFoundFileCollector } from "../found-files.ts";
import type { SearchPlace } from "../search-place.ts";
import { createFileTest, grepArguments } from "./grep-arguments.ts";

/** Files with a match, newest first. Hidden files are not even counted, because that would reveal their content. */
export async function grepFiles(query: GrepFilesQuery, place: SearchPlace): Promise<FoundFiles> {
  const counts = createFileTest(query, place);
  const found = createFoundFileCollector(place);
  const { unreadable } = await findNames(["--files-with-matches", ...grepArguments(query, place)], {
    place,
    onName(given) {
      const name = withoutDot(given);
      if (counts(name)) found.add(name);
    },
  });
  return { path: place.root.path, ...(await found.finish(query.maxFiles)), leftOut: 0, unreadable };
}

/** The number of matches per file, sorted by path. */
export async function grepCounts(query: GrepFilesQuery, place: SearchPlace): Promise<FoundCounts> {
  const { root } = place;
  const counts = createFileTest(query, place);
  const files: { path: string; matches: number }[] = [];
  let name: string | undefined;
  const args = ["--count-matches", "--with-filename", ...grepArguments(query, place)];
  const { unreadable } = await findNames(args, {
    place,
    // Between two NULs are the count of one file, a newline, and the name of the next, which may contain newlines too.
    onName(piece) {
      const lineEnd = name === undefined ? -1 : piece.indexOf("\n");
      if (name !== undefined && counts(name))
        files.push({ path: root.nameOf(name), matches: Number(piece.slice(0, lineEnd)) });
      name = withoutDot(piece.slice(lineEnd + 1));
    },
  });
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  return {
    path: root.path,
    files: files.slice(0, query.maxFiles),
    totalFiles: files.length,
    totalMatches: files.reduce((total, { matches }) => total + matches, 0),
    unreadable,
  };
}
