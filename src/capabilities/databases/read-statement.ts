import { ToolError } from "../../tool/tool-error.ts";

export type SqlDialect = "sqlite" | "postgres";

/**
 * Refuses a statement that is not of a kind which the transaction around it can bound. The database, not the text, decides
 * which tables the statement may touch. The first word is enough here, because it decides the kind of a statement.
 */
export function checkStatement(
  sql: string,
  { dialect, use }: { dialect: SqlDialect; use: "query" | "update" },
): void {
  const keyword = firstKeyword(sql, dialect);
  if (keyword === undefined) throw new ToolError("invalid-input", "the statement is empty");
  if (allowed[dialect][use].has(keyword)) return;
  const isForUpdate = use === "query" && allowed[dialect].update.has(keyword);
  throw new ToolError("invalid-input", `${names[use]} cannot run ${keyword}`, {
    hint: isForUpdate
      ? "It changes the database, so it has to be an update."
      : (hints.get(keyword) ?? `It has to begin with one of ${[...allowed[dialect][use]].join(", ")}.`),
  });
}

/** The first word in capitals, or the first other sign, such as a parenthesis. Undefined for an empty statement. */
export function firstKeyword(sql: string, dialect: SqlDialect): string | undefined {
  const rest = sql.slice(endOfTrivia(sql, dialect));
  const word = /^[A-Za-z]+/.exec(rest)?.[0].toUpperCase();
  return word ?? (rest === "" ? undefined : String.fromCodePoint(rest.codePointAt(0)!));
}

/** Whether nothing but spaces, comments and semicolons is left. */
export function isBlank(sql: string, dialect: SqlDialect): boolean {
  return endOfTrivia(sql, dialect, /[\s;]/) === sql.length;
}

/** PostgreSQL nests block comments; SQLite does not, and ends an open one at the end of the text. */
function endOfTrivia(sql: string, dialect: SqlDialect, space = /\s/): number {
  let at = 0;
  for (;;) {
    if (at < sql.length && space.test(sql[at]!)) at += 1;
    else if (sql.startsWith("--", at)) at = endOfLine(sql, at);
    else if (sql.startsWith("/*", at)) at = endOfComment(sql, at, dialect);
    else return at;
  }
}

function endOfLine(sql: string, start: number): number {
  const end = sql.indexOf("\n", start);
  return end === -1 ? sql.length : end + 1;
}

function endOfComment(sql: string, start: number, dialect: SqlDialect): number {
  let depth = 0;
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    if (mark[0] === "/*") depth = dialect === "postgres" ? depth + 1 : 1;
    else depth -= 1;
    if (depth === 0) return marks.lastIndex;
    // `/*/` opens a comment and does not close it.
    if (mark[0] === "/*") marks.lastIndex = mark.index + 2;
  }
  return sql.length;
}

const names = { query: "a query", update: "an update" } as const;

const changing = ["INSERT", "UPDATE", "DELETE", "WITH", "SELECT", "CREATE", "ALTER", "DROP"];

const allowed: Readonly<Record<SqlDialect, Record<"query" | "update", ReadonlySet<string>>>> = {
  sqlite: {
    query: new Set(["SELECT", "WITH", "VALUES", "EXPLAIN"]),
    update: new Set([...changing, "REPLACE", "ANALYZE", "REINDEX"]),
  },
  postgres: {
    query: new Set(["SELECT", "WITH", "VALUES", "TABLE", "SHOW", "EXPLAIN", "("]),
    update: new Set([...changing, "MERGE", "TRUNCATE", "COMMENT", "ANALYZE", "REFRESH"]),
  },
};

const transaction = "Every call is one transaction already; give all statements in one call.";

const hints: ReadonlyMap<string, string> = new Map([
  ["PRAGMA", "Select from the function instead, as in SELECT * FROM pragma_table_info('name')."],
  ["ATTACH", "A connection reaches one database only; the user has to declare another connection."],
  ["DETACH", "A connection reaches one database only."],
  ["COPY", "It would use files or programs of the server; select or insert the rows instead."],
  ...["BEGIN", "START", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ABORT", "PREPARE"].map(
    (keyword) => [keyword, transaction] as const,
  ),
]);

/** Which of several statements an error is about; nothing if there is only one. */
export function statementName(index: number | undefined): string {
  return index === undefined ? "" : `statement ${index + 1}: `;
}
