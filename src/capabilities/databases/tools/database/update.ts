import { countOf } from "../../../../shared/text/count-of.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import type {
  DatabaseStatement,
  QueryRows,
  StatementResult,
  UpdateReport,
} from "../../../../tool/services/databases.ts";
import {
  describeConnections,
  maxRowsSchema,
  parametersSchema,
  sqlSchema,
  timeoutSchema,
  updateReport,
} from "../database-params.ts";
import { describeRows, fitRows } from "../describe-rows.ts";

export default declareTool({
  name: "database_update",
  description: (session) =>
    `Change a declared database by SQL: all statements of a call in one transaction, all of them or none. With rollback it shows what would change and undoes it. A committed change cannot be undone. ${describeConnections(session, { writable: true })}`,
  input: {
    type: "object",
    properties: {
      connection: { type: "string", minLength: 1, description: "The connection's name" },
      statements: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        items: {
          type: "object",
          properties: {
            sql: { ...sqlSchema, description: "One statement; put every value into parameters" },
            parameters: parametersSchema,
          },
          required: ["sql"],
          additionalProperties: false,
        },
        description: "What to run, in this order",
      },
      rollback: {
        type: "boolean",
        default: false,
        description: "Run everything, return the number of affected rows, and roll it back",
      },
      max_rows: maxRowsSchema,
      timeout: timeoutSchema,
    },
    required: ["connection", "statements"],
    additionalProperties: false,
  },
  prompt: `Before a change that could hit more rows than meant, call it with rollback and compare the number of affected rows. Put statements that belong together into one call. Add RETURNING to see the rows.`,
  traits: {
    destructive: true,
    openWorld: true,
    needs: ["write"],
    requires: ["databases"],
    timeoutMs: ({ timeout }) => timeout,
    // To stop the statements, roll them back and say so.
    windUpMs: 8000,
  },
  output: updateReport,
  searchHint: "sql insert update delete create table migrate sqlite postgres postgresql transaction",
  permission: ({ connection }) => ({ action: "write", database: connection }),
  async run(
    { connection, statements, rollback, max_rows },
    { databases, maxOutputCharacters, markTruncated },
  ): Promise<UpdateReport> {
    const report = await databases.update(connection, statements as readonly DatabaseStatement[], {
      rollback,
      maxRows: max_rows,
    });
    const room = Math.floor(maxOutputCharacters / Math.max(1, report.results.filter(hasRows).length));
    const results = report.results.map((result) =>
      hasRows(result) ? { ...result, ...fitRows(result, room) } : result,
    );
    if (results.some(({ cutBy }) => cutBy !== undefined)) markTruncated();
    return { ...report, results } as UpdateReport;
  },
  dryRun: ({ connection, statements }) =>
    `It would run ${countOf(statements.length, "statement")} on ${connection} in one transaction. With the argument rollback, a call runs them and rolls them back, to show how many rows they affect.`,
  toText: describeUpdate,
});

function hasRows(result: StatementResult): result is StatementResult & QueryRows {
  return result.columns !== undefined && result.rows !== undefined;
}

function describeUpdate({ committed, results }: UpdateReport): string {
  const end = committed ? "Committed." : "Rolled back: nothing was changed.";
  const lines = results.map((result, index) => {
    const rows = hasRows(result) ? ` ${describeRows(result)}` : "";
    return `${index + 1}. ${countOf(result.affected, "row")} affected.${rows}`;
  });
  return [...lines, end].join("\n");
}
