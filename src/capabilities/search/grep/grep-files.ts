import type { FoundFiles, GrepFilesQuery } from "../../../tool/services/search.ts";
import { findNames, withoutDot } from "../find-names.ts";
import { createFoundFileCollector } from "../found-files.ts";
import { readFilter } from "../read-glob.ts";
import type { SearchPlace } from "../search-place.ts";
import { grepArguments } from "./grep-arguments.ts";

/** Files with a match, newest first. Hidden files are not even counted, because that would reveal their content. */
export async function grepFiles(query: GrepFilesQuery, place: SearchPlace): Promise<FoundFiles> {
  const { root, mayShow } = place;
  const isWanted = query.glob === undefined ? () => true : readFilter(query.glob);
  const found = createFoundFileCollector(place);
  const { unreadable } = await findNames(["--files-with-matches", ...grepArguments(query, place)], {
    place,
    onName(given) {
      const name = withoutDot(given);
      if ((root.onlyName !== undefined || isWanted(name)) && mayShow(name)) found.add(name);
    },
  });
  return {
    path: root.path,
    ...(await found.finish(query.maxFiles)),
    leftOut: 0,
    unreadable,
  };
}
