import { ChildCrashed, type ChildPrograms, createChildPrograms } from "../../../machine/child/index.ts";
import { entryFile } from "../../../shared/entry-file.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import type { StatementResult } from "../../../tool/services/databases.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { DatabaseEngine, DatabaseUse } from "../database-access.ts";
import { statementName } from "../read-statement.ts";
import type { SqliteAnswer, SqliteFailure, SqliteTask } from "./sqlite-main.ts";

/** A file of SQLite, for its engine. */
export interface SqlitePlace {
  readonly name: string;
  /** Absolute, with links resolved, and permitted. */
  readonly path: string;
}

/** Uses each file in a separate process: a statement can take for ever, and nothing else can stop it. */
export function createSqliteDatabases() {
  const file = () => entryFile(import.meta.url, { source: "sqlite-main.ts", built: "sqlite" });
  const programs = createChildPrograms<SqliteTask, SqliteAnswer>(file);
  const run = async (
    task: Omit<SqliteTask, "path" | "limits" | "busyMs">,
    { name, path, limits, deadline: { signal } }: SqlitePlace & DatabaseUse,
  ): Promise<readonly StatementResult[]> => {
    const answer = await programs
      .ask({ ...task, path, limits, busyMs }, { signal })
      .catch(async (error: unknown) => {
        if (task.use === "update") await recover(programs, { path, limits });
        throw error instanceof ChildCrashed ? crashed(name) : error;
      });
    if ("failure" in answer) throw errorOf(answer.failure, name);
    return answer.results;
  };
  const at = (place: SqlitePlace): DatabaseEngine => ({
    async query(statement, use) {
      const task = { use: "query", statements: [statement], rollback: true } as const;
      const [result] = await run(task, { ...use, ...place });
      const { affected: _affected, ...found } = result!;
      return { columns: [], rows: [], ...found };
    },
    update: (statements, { rollback, ...use }) =>
      run({ use: "update", statements, rollback }, { ...use, ...place }),
  });
  return { at, close: programs.close };
}

// Other writers need moments; one that takes longer is doing something big.
const busyMs = 5000;

/**
 * Killing a process in the middle of a change leaves a journal beside the file. The next one that may write undoes the
 * change; one that only reads could not even open the file, so this does it at once.
 */
async function recover(
  programs: ChildPrograms<SqliteTask, SqliteAnswer>,
  { path, limits }: Pick<SqliteTask, "path" | "limits">,
): Promise<void> {
  const task = { path, limits, use: "recover", statements: [], rollback: true, busyMs: 1000 } as const;
  await programs.ask(task, { signal: AbortSignal.timeout(maxRecoveryMs) }).catch(() => {});
}

const maxRecoveryMs = 5000;

function crashed(name: string): ToolError {
  return new ToolError("too-large", `the statement needed more memory than ${name} may use`, {
    hint: "Ask for fewer rows or columns, or for parts of long values with substr().",
  });
}

const maxMessageCharacters = 2000;

function errorOf({ kind, message, at }: SqliteFailure, name: string): ToolError {
  const which = statementName(at);
  switch (kind) {
    case "busy":
      return new ToolError("conflict", `${name} is locked by another program that writes to it`, {
        hint: "Try again in a moment.",
        retryable: true,
      });
    case "moved":
      return new ToolError("conflict", `the file of ${name} was replaced while it was being opened`, {
        hint: "Call again; the file that is there now is then judged.",
      });
    case "memory":
      return crashed(name);
    case "not-a-database":
      return new ToolError("binary-file", `the file of ${name} is damaged, or is not a SQLite database`);
    case "statement":
      return new ToolError("invalid-input", `${which}${message}`, {
        hint: "Give exactly one statement, and one parameter for each placeholder.",
      });
    case "sql":
      // A trigger may say anything.
      return new ToolError("tool-failed", `${which}${oneLine(message, maxMessageCharacters)}`);
  }
}
