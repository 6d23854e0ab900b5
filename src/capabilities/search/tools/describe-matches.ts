import { countOf } from "../../../shared/text/count-of.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { describePage } from "../../../tool/builtin/fit-page.ts";
import type { FoundLine } from "../../../tool/services/search.ts";
import type { Wording } from "../../../tool/wording.ts";
import { countText, type FoundMatches, lineText, maxResults } from "./find-matches.ts";

/** Search results for the model: the matches, then notes on those that are left out. */
export function describeMatches(found: FoundMatches, wording: Wording): string {
  return [...bodyOf(found), ...notesOn(found, wording)].join("\n");
}

function bodyOf(found: FoundMatches): string[] {
  if (found.total === 0)
    return [`No matches for ${quoteControls(found.pattern)} in ${quoteControls(found.path)}`];
  switch (found.mode) {
    case "content":
      return toLines(inOrder([...found.matches, ...(found.context ?? [])]));
    case "files_with_matches":
      return found.files.map(quoteControls);
    case "count":
      return [
        ...found.counts.map(countText),
        `Total: ${found.totalMatches} in ${countOf(found.total, "file")}`,
      ];
  }
}

function inOrder(lines: readonly FoundLine[]): FoundLine[] {
  return lines.toSorted((left, right) =>
    left.path === right.path ? left.line - right.line : left.path < right.path ? -1 : 1,
  );
}

/** Writes matches as grep prints them, with `--` between separate groups. */
function toLines(lines: readonly FoundLine[]): string[] {
  const hasContext = lines.some(({ kind }) => kind === "context");
  return lines.flatMap((line, index) => {
    const previous = lines[index - 1];
    const follows = previous?.path === line.path && previous.line + 1 === line.line;
    return hasContext && previous !== undefined && !follows ? ["--", lineText(line)] : [lineText(line)];
  });
}

function notesOn(found: FoundMatches, wording: Wording): string[] {
  const notes: string[] = [];
  const shown = shownIn(found);
  const filters = [
    found.glob && `that match ${quoteControls(found.glob)}`,
    found.type && `of type ${found.type}`,
  ].filter(Boolean);
  if (found.total === 0 && filters.length > 0) notes.push(`(Searched only files ${filters.join(" and ")}.)`);
  const truncated = found.offset + shown < found.total;
  notes.push(...describePage({ ...found, shown, truncated, noun: "result" }, wording));
  if (found.capped)
    notes.push(`(More than ${countOf(maxResults, "result")}; narrow the search to see the rest.)`);
  if (found.mode === "content" && found.overlong !== undefined)
    notes.push(`(${countOf(found.overlong, "matching line")} too long to show.)`);
  if (found.unreadable !== undefined) notes.push(`(${countOf(found.unreadable, "path")} could not be read.)`);
  return notes;
}

function shownIn(found: FoundMatches): number {
  switch (found.mode) {
    case "content":
      return found.matches.length + (found.context?.length ?? 0);
    case "files_with_matches":
      return found.files.length;
    case "count":
      return found.counts.length;
  }
}
