import { defined } from "../../shared/options/defined.ts";
import type { FoundFiles, GlobQuery, NearFiles } from "../../tool/services/search.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { findNames, withoutDot } from "./find-names.ts";
import { createFoundFileCollector } from "./found-files.ts";
import { readGlob } from "./read-glob.ts";
import type { SearchPlace } from "./search-place.ts";
import type { SearchRoot } from "./search-root.ts";
import { nameArguments, walkArguments } from "./walk-arguments.ts";

/** Every file whose path matches, newest first. */
export async function globFiles(query: GlobQuery, place: SearchPlace): Promise<FoundFiles> {
  const { root } = place;
  const pattern = relativePattern(query.pattern, root);
  const matches = readGlob(pattern);
  const args = ["--files", ...walkArguments(query, place), ...nameArguments(pattern)];
  const found = createFoundFileCollector(place);
  let leftOut = 0;
  const { unreadable } = await findNames(args, {
    place,
    onName(given) {
      const name = withoutDot(given);
      if (!matches(name)) return;
      const visibility = place.visibilityOf(name);
      if (visibility === "shown") found.add(name);
      // Files that may not be read at all are not even counted.
      if (visibility === "withheld") leftOut += 1;
    },
  });
  const listed = await found.finish(query.maxFiles);
  const isNear = listed.totalFiles === 0 && mayBeNear(pattern, query);
  const near = isNear ? await findNear(pattern, place) : undefined;
  return { path: root.path, ...listed, leftOut, unreadable, ...defined({ near }) };
}

/** Looking for them takes a second walk, which finds nothing if no file was ignored and the pattern names no folder. */
function mayBeNear(pattern: string, { includeIgnored }: GlobQuery): boolean {
  return !includeIgnored || !/\.\w+$/.test(pattern);
}

/** Finds files that a pattern without matches may have meant, ignored ones too, but none that may not be shown. */
async function findNear(pattern: string, place: SearchPlace): Promise<NearFiles> {
  const matches = readGlob(pattern);
  const isBelow = pattern.startsWith("!") ? () => false : readGlob(`${pattern}/`);
  const near = { ignored: 0, below: 0 };
  await findNames(["--files", ...walkArguments({ includeIgnored: true }, place)], {
    place,
    onName(given) {
      const name = withoutDot(given);
      const kind = matches(name) ? "ignored" : isBelow(name) ? "below" : undefined;
      if (kind !== undefined && place.mayShow(name)) near[kind] += 1;
    },
  });
  return near;
}

/** Accepts an absolute pattern if it starts with the searched folder. */
function relativePattern(pattern: string, root: SearchRoot): string {
  if (!pattern.startsWith("/")) return pattern;
  const folder = root.absoluteOf("");
  if (pattern.startsWith(folder)) return pattern.slice(folder.length);
  throw new ToolError("invalid-input", `the pattern ${pattern} starts outside the searched folder`, {
    hint: "Pass the folder as path, and a pattern relative to it.",
  });
}
