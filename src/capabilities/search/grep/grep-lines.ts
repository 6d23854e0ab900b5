import { runRipgrep } from "../../../machine/ripgrep/run-ripgrep.ts";
import type { FoundLine, FoundLines, LineQuery } from "../../../tool/services/search.ts";
import { acceptEnd, withoutDot } from "../find-names.ts";
import type { SearchPlace } from "../search-place.ts";
import { createLineFinder } from "./found-line.ts";
import { createFileTest, grepArguments } from "./grep-arguments.ts";
import { createMatchMarks, type MatchMarks, markArgument } from "./match-marks.ts";
import { createMatchReader, type MatchListener, printArguments } from "./read-matches.ts";

/** Matching lines with context, sorted by path because ripgrep prints files in any order. */
export async function grepLines(query: LineQuery, place: SearchPlace): Promise<FoundLines> {
  const { root, signal } = place;
  const { before = 0, after = 0, maxLines } = query;
  const marks = createMatchMarks();
  const collector = createCollector(query, place, marks);
  const reader = createMatchReader(collector.listener, { maxLineBytes });
  const args = [
    ...printArguments,
    markArgument(marks),
    `--before-context=${before}`,
    `--after-context=${after}`,
    `--max-count=${maxLines + 1}`,
    ...grepArguments(query, place),
    "--",
    "./",
  ];
  const end = await runRipgrep(args, {
    cwd: root.location,
    signal,
    onOutput(chunk) {
      reader.push(chunk);
      return collector.count > maxLines ? "enough" : "more";
    },
  });
  const { status, unreadable } = await acceptEnd(end, signal);
  // A stopped search may end in the middle of a line.
  if (status === "finished") reader.end();
  const lines = collector.lines();
  return {
    path: root.path,
    lines: lines.slice(0, maxLines),
    hasMore: lines.length > maxLines,
    overlong: collector.overlong,
    unreadable,
  };
}

// Lines of minified files may be long; even longer ones are only counted.
const maxLineBytes = 8 * 1024 * 1024;

function createCollector(query: LineQuery, place: SearchPlace, marks: MatchMarks) {
  const counts = createFileTest(query, place);
  const files: { path: string; lines: FoundLine[] }[] = [];
  let current: FoundLine[] = [];
  let findLine = createLineFinder("", marks);
  let count = 0;
  let overlong = 0;
  const listener: MatchListener = {
    onFile(given) {
      const name = withoutDot(given);
      if (!counts(name)) return false;
      const path = place.root.nameOf(name);
      current = [];
      files.push({ path, lines: current });
      findLine = createLineFinder(path, marks);
      return true;
    },
    onLine(printed) {
      const line = findLine(printed);
      if (line === undefined) return;
      current.push(line);
      count += 1;
    },
    onOverlong() {
      overlong += 1;
    },
    // A binary file is skipped, including matches found before it was recognised.
    onBinary() {
      count -= current.length;
      current.length = 0;
    },
  };
  return {
    listener,
    lines: () => files.sort((left, right) => (left.path < right.path ? -1 : 1)).flatMap(({ lines }) => lines),
    get count() {
      return count;
    },
    get overlong() {
      return overlong;
    },
  };
}
