import type { SqlRow } from "./sql/sql-driver.ts";

export interface TimedRow {
  readonly row: SqlRow;
  readonly time: string;
}

/** Merges the rows of several sessions, newest first; each session's rows must be newest first already. */
export function newestOf(sessions: readonly (readonly SqlRow[])[], limit?: number): SqlRow[] {
  return newestFirst(sessions.flatMap(withTimes), limit).map(({ row }) => row);
}

/** Within a session the log's order wins: if the clock was set back, a receipt counts as no newer than the next one. */
export function withTimes(newestFirst: readonly SqlRow[]): TimedRow[] {
  let time = "";
  return newestFirst.map((row) => {
    const at = String(row.at);
    if (time === "" || at < time) time = at;
    return { row, time };
  });
}

export function newestFirst(rows: readonly TimedRow[], limit?: number): readonly TimedRow[] {
  return rows.toSorted(byTime).slice(0, limit);
}

function byTime(left: TimedRow, right: TimedRow): number {
  if (left.time === right.time) return 0;
  return left.time > right.time ? -1 : 1;
}
