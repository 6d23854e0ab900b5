import { markAsMaterial } from "../../../shared/text/mark-as-material.ts";
import { countFitting, pageRoom } from "../../../tool/builtin/fit-page.ts";
import type { QueryRows } from "../../../tool/services/databases.ts";

export interface ShownRows extends Omit<QueryRows, "cutBy"> {
  readonly cutBy?: "rows" | "bytes" | "characters";
}

/** Keeps as many rows as the caller can read, so that text and data are the same. */
export function fitRows(found: QueryRows, maxOutputCharacters: number): ShownRows {
  const room = pageRoom(maxOutputCharacters) - columnLine(found).length - maxMarkCharacters;
  const sizes = found.rows.map((row) => JSON.stringify(row).length + 1);
  const count = found.rows.length === 0 ? 0 : countFitting(sizes, room);
  return count === found.rows.length
    ? found
    : { ...found, rows: found.rows.slice(0, count), cutBy: "characters" };
}

// What `markAsMaterial` adds.
const maxMarkCharacters = 250;

/** A line with the columns, then each row as JSON: compact, and no value can look like another. */
export function describeRows(shown: ShownRows): string {
  const { rows, cutBy } = shown;
  const table = markAsMaterial(
    [columnLine(shown), ...rows.map((row) => JSON.stringify(row))].join("\n"),
    "database",
  );
  const count = rows.length === 1 ? "1 row" : `${rows.length} rows`;
  if (cutBy === undefined) return `${count}:\n${table}`;
  return `The first ${count} of more (limited by ${limitNames[cutBy]}):\n${table}\n(There are more rows. Continue with ORDER BY and OFFSET, or count and group them in SQL.)`;
}

const limitNames = { rows: "max_rows", bytes: "size", characters: "the length of an answer" } as const;

function columnLine({ columns }: Pick<QueryRows, "columns">): string {
  return JSON.stringify(columns.map(({ name, type }) => (type === undefined ? name : `${name}: ${type}`)));
}
