import { countOf } from "../../../shared/text/count-of.ts";
import { aCount, aFlag, arrayOf, aText, objectOf } from "../../../tool/builtin/schema-parts.ts";
import type { SessionView } from "../../../tool/tool-context.ts";

const plain = [
  { type: "string", maxLength: 1_000_000 },
  { type: "number" },
  { type: "boolean" },
  { type: "null" },
  {
    type: "object",
    properties: { integer: { type: "string", pattern: "^-?[0-9]{1,40}$" } },
    required: ["integer"],
    additionalProperties: false,
  },
  {
    type: "object",
    properties: { base64: { type: "string", maxLength: 10_000_000 } },
    required: ["base64"],
    additionalProperties: false,
  },
] as const;

/** The values of a statement's placeholders. */
export const parametersSchema = {
  anyOf: [
    { type: "array", items: { anyOf: plain }, maxItems: 1000 },
    { type: "object", additionalProperties: { anyOf: plain } },
  ],
  description:
    'Values for the placeholders, never pasted into the text: a list for ? (SQLite) or $1 (PostgreSQL), or by name for :name (SQLite). {"integer": "…"} is a whole number beyond 2^53, {"base64": "…"} is bytes',
} as const;

export const sqlSchema = { type: "string", minLength: 1, maxLength: 100_000 } as const;

export const maxRowsSchema = {
  type: "integer",
  minimum: 1,
  maximum: 10_000,
  default: 200,
  description: "The most rows to return",
} as const;

export const timeoutSchema = {
  type: "integer",
  minimum: 1,
  maximum: 600_000,
  default: 30_000,
  description: "Timeout in milliseconds; the statement is then stopped",
} as const;

/** The connections that a model can name. */
export function describeConnections(
  { databases = [] }: SessionView,
  { writable }: { writable: boolean },
): string {
  const fitting = databases.filter((database) => !writable || database.writable);
  if (fitting.length === 0) return writable ? "None may be changed here." : "None is declared here.";
  const names = fitting.map(({ name, kind }) => `${name} (${kind === "sqlite" ? "SQLite" : "PostgreSQL"})`);
  return `${countOf(names.length, "connection")}: ${names.join(", ")}.`;
}

const columns = arrayOf(objectOf({ name: aText }, { type: aText }));
const rows = {
  ...arrayOf({ type: "array" }),
  description:
    "Values in the order of the columns; {integer} is a whole number beyond 2^53, {real} is NaN, an infinity or -0, {base64} is bytes",
};
const limits = {
  cutBy: { enum: ["rows", "bytes", "characters"], description: "The limit that left rows out" },
};

export const queriedRows = objectOf({ columns, rows, truncated: aFlag }, limits);

export const updateReport = objectOf({
  committed: aFlag,
  results: arrayOf(objectOf({ affected: aCount }, { columns, rows, ...limits })),
});
