import type { Client, Connection, FieldDef, Submittable } from "pg";
import type {
  DatabaseParameter,
  DatabaseStatement,
  DatabaseValue,
  QueryRows,
} from "../../../tool/services/databases.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import {
  createRowCollector,
  decodeParameter,
  encodeBytes,
  encodeInteger,
  encodeReal,
  type RowLimits,
} from "../encode-value.ts";
import { isServerError } from "./postgres-error.ts";

interface FinishedRun {
  readonly fields: readonly FieldDef[];
  readonly taken: Pick<QueryRows, "rows" | "cutBy">;
  /** Rows that it changed, as the server counts them. */
  readonly affected: number;
}

interface RunOptions {
  readonly limits: RowLimits;
  /** A change has to run to its end, whatever is kept of its rows. */
  readonly runsToEnd: boolean;
}

/**
 * Runs one statement by the extended protocol, which takes no second one, and fetches its rows in small parts, so that
 * neither a million rows nor long ones are ever in memory. pg's own query object always fetches all of them.
 */
export function runStatement(
  client: Client,
  { sql, parameters = [] }: DatabaseStatement,
  options: RunOptions,
): Promise<FinishedRun> {
  if (!Array.isArray(parameters))
    throw new ToolError("invalid-input", "PostgreSQL takes parameters as a list, for $1, $2 and so on");
  const { promise: finished, resolve, reject } = Promise.withResolvers<FinishedRun>();
  const collector = createRowCollector(options.limits);
  const values = parameters.map(toWire);
  let fields: readonly FieldDef[] = [];
  let affected = 0;
  let batch = firstBatch;
  let received = { rows: 0, bytes: 0 };

  const fetchMore = (connection: Wire) => {
    connection.execute({ portal: "", rows: batch });
    connection.flush();
  };
  const handlers = {
    submit(connection: Wire) {
      connection.parse({ text: sql, name: "", types: [] });
      connection.bind({
        portal: "",
        statement: "",
        binary: false,
        values,
        valueMapper: (value: unknown) => value,
      });
      connection.describe({ type: "P", name: "" });
      fetchMore(connection);
      return null;
    },
    handleRowDescription(message: { fields: FieldDef[] }) {
      fields = message.fields;
    },
    handleDataRow(message: { fields: (string | null)[] }) {
      received = {
        rows: received.rows + 1,
        bytes: received.bytes + message.fields.reduce((sum, text) => sum + (text?.length ?? 4), 0),
      };
      collector.add(message.fields.map((text, index) => encodeField(text, fields[index]!.dataTypeID)));
    },
    handlePortalSuspended(connection: Wire) {
      if (collector.cutBy !== undefined && !options.runsToEnd) return connection.sync();
      // The next batch has as many rows as may fill the rest.
      const rowBytes = Math.max(1, received.bytes / Math.max(1, received.rows));
      batch = Math.min(maxBatch, Math.max(1, Math.floor(options.limits.maxBytes / rowBytes)));
      fetchMore(connection);
    },
    handleCommandComplete(message: { text: string }, connection: Wire) {
      affected = countIn(message.text);
      connection.sync();
    },
    handleEmptyQuery: (connection: Wire) => connection.sync(),
    handleError(error: unknown, connection: Wire) {
      // The client waits for the server to be ready again, and does not tell this object. A broken connection never is.
      if (isServerError(error)) connection.sync();
      reject(error);
    },
    handleReadyForQuery: () => resolve({ fields, taken: collector.taken(), affected }),
    handleCopyInResponse: (connection: Wire) => connection.sendCopyFail("not supported"),
    handleCopyData() {},
  };
  client.query(handlers as unknown as Submittable);
  return finished;
}

/** pg's connection, as its own query object uses it. */
type Wire = Pick<Connection, "flush" | "sync"> & {
  parse(message: object): void;
  bind(message: object): void;
  describe(message: object): void;
  execute(message: object): void;
  sendCopyFail(message: string): void;
};

// The first rows tell how long they are.
const firstBatch = 10;
const maxBatch = 200;

function toWire(parameter: DatabaseParameter): string | Buffer | null {
  const value = decodeParameter(parameter);
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value) : String(value);
}

/** The number of changed rows in a tag such as `INSERT 0 3` or `UPDATE 3`; a statement that selects changes no row. */
function countIn(tag: string): number {
  const count = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag)?.[1];
  return count === undefined ? 0 : Number(count);
}

/** The text that the server gives for a value, as JSON has it without loss. */
function encodeField(text: string | null, type: number): DatabaseValue {
  return text === null ? null : (encoders.get(type)?.(text) ?? text);
}

type Encoder = (text: string) => DatabaseValue;

const toInteger: Encoder = (text) => encodeInteger(BigInt(text));
const toReal: Encoder = (text) => encodeReal(Number(text));

/** By the object ids of the types, which never change: bool, bytea, int8, int2, int4, oid, float4 and float8. */
const encoders: ReadonlyMap<number, Encoder> = new Map<number, Encoder>([
  [16, (text) => text === "t"],
  [17, (text) => encodeBytes(Buffer.from(text.slice(2), "hex"))],
  ...[20, 21, 23, 26].map((type) => [type, toInteger] as const),
  ...[700, 701].map((type) => [type, toReal] as const),
]);
