import type { FoundLine, FoundLines, LineQuery } from "../../tool/search.ts";
import { compileGlob } from "./compile-glob.ts";
import { acceptEnd, withoutDot } from "./find-names.ts";
import { toFoundLines } from "./found-line.ts";
import { grepArguments } from "./grep-arguments.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import type { SearchPlace } from "./search-place.ts";
import { createTextSplitter } from "./split-text.ts";

/** The lines that match and those around them, in the order of their paths: ripgrep itself answers in any order. */
export async function grepLines(query: LineQuery, place: SearchPlace): Promise<FoundLines> {
  const { root, signal } = place;
  const { before = 0, after = 0, maxLines } = query;
  const collector = createCollector(query, place);
  const splitter = createTextSplitter({ separator: "\n", maxCharacters: maxRecordCharacters });
  const args = [
    "--json",
    `--before-context=${before}`,
    `--after-context=${after}`,
    `--max-count=${maxLines + 1}`,
    ...grepArguments(query, root),
    "--",
    "./",
  ];
  const end = await runRipgrep(args, {
    cwd: root.location,
    signal,
    onOutput(chunk) {
      for (const record of splitter.push(chunk)) collector.take(record);
      return collector.count > maxLines ? "enough" : "more";
    },
  });
  const { unreadable } = acceptEnd(end);
  const lines = collector.lines();
  return {
    path: root.path,
    lines: lines.slice(0, maxLines),
    hasMore: lines.length > maxLines,
    overlong: collector.overlong,
    unreadable,
  };
}

// A line of a minified file may be long, and JSON makes it longer; one that is longer still is only counted.
const maxRecordCharacters = 8 * 1024 * 1024;

interface Collector {
  take(record: string | undefined): void;
  lines(): FoundLine[];
  readonly count: number;
  readonly overlong: number;
}

function createCollector(query: LineQuery, { root, mayShow }: SearchPlace): Collector {
  const isWanted = query.glob === undefined ? () => true : compileGlob(query.glob, { anyDepth: true });
  const files: { path: string; lines: FoundLine[] }[] = [];
  let current: { path: string; lines: FoundLine[] } | undefined;
  let count = 0;
  let overlong = 0;

  const take = (text: string | undefined) => {
    if (text === undefined) {
      if (current !== undefined) overlong += 1;
      return;
    }
    // Another file, or one that may not be shown: not worth reading.
    if (current === undefined && !text.startsWith('{"type":"begin"')) return;
    const record: RipgrepRecord = JSON.parse(text);
    switch (record.type) {
      case "begin": {
        const name = withoutDot(decodeText(record.data.path).toString());
        const isShown = (root.onlyName !== undefined || isWanted(name)) && mayShow(name);
        if (isShown) current = { path: root.nameOf(name), lines: [] };
        return;
      }
      case "match":
      case "context": {
        if (current === undefined) return;
        const { lines, line_number: firstLine, submatches } = record.data;
        const { path } = current;
        const isMatch = record.type === "match";
        const found = toFoundLines({
          path,
          firstLine,
          isMatch,
          content: decodeText(lines),
          matches: submatches,
        });
        for (const line of found) current.lines.push(line);
        count += found.length;
        return;
      }
      case "end": {
        if (current === undefined) return;
        // What turned out to be binary is skipped, also what matched before that showed.
        if (record.data.binary_offset === null) files.push(current);
        else count -= current.lines.length;
        current = undefined;
      }
    }
  };

  return {
    take,
    lines() {
      if (current !== undefined) files.push(current);
      return files.sort((left, right) => (left.path < right.path ? -1 : 1)).flatMap(({ lines }) => lines);
    },
    get count() {
      return count;
    },
    get overlong() {
      return overlong;
    },
  };
}

/** As `rg --json` writes it; only what is used. */
type RipgrepRecord =
  | { readonly type: "begin"; readonly data: { readonly path: RipgrepText } }
  | {
      readonly type: "match" | "context";
      readonly data: {
        readonly lines: RipgrepText;
        readonly line_number: number;
        readonly submatches: readonly { readonly start: number; readonly end: number }[];
      };
    }
  | { readonly type: "end"; readonly data: { readonly binary_offset: number | null } };

/** Base64 where it is not UTF-8. */
type RipgrepText = { readonly text: string } | { readonly bytes: string };

function decodeText(value: RipgrepText): string | Buffer {
  return "text" in value ? value.text : Buffer.from(value.bytes, "base64");
}
