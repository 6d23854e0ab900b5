import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";
import type { ResultFields, ResultSource } from "../dialect.ts";
import { fieldNames, findSchema, itemSchema } from "../translate-output-schema.ts";

interface ResultPlace {
  /** Of the data that the fields are made of. */
  readonly schema: unknown;
  readonly inputSchema: JsonSchema;
  /** The whole output, in which references are looked up. Default: the schema. */
  readonly root?: JsonSchema;
  /** In the dialect, for messages: `tools.file_read.result`. */
  readonly place: string;
}

/** Which sources of a dialect's fields name nothing that the tool returns or takes. */
export function resultProblems(fields: ResultFields, within: ResultPlace): string[] {
  return Object.entries(fields).flatMap(([field, source]) => {
    const place = `${within.place}.${field}`;
    if (field in Object.prototype) return [`${place}: no field can be called ${field}`];
    return sourceProblems(source, { root: within.schema as JsonSchema, ...within, place });
  });
}

function sourceProblems(source: ResultSource, within: ResultPlace & { readonly root: JsonSchema }): string[] {
  if (typeof source === "string") return pathProblems(source, within);
  if ("value" in source || "text" in source) return [];
  if ("input" in source) return argumentProblems(source.input, within);
  if ("lengthOf" in source) return sourceProblems(source.lengthOf, within);
  if ("linesOf" in source) return sourceProblems(source.linesOf, within);
  if ("from" in source) return pathProblems(source.from, within);
  if ("entries" in source) return source.entries.flatMap((each) => sourceProblems(each, within));
  if (!("list" in source)) return resultProblems(source.fields, within);
  const found = findSchema(source.list, within);
  if (found === undefined) return pathProblems(source.list, within);
  const inside = { ...within, schema: itemSchema(found.schema, within.root) };
  return "item" in source ? sourceProblems(source.item, inside) : resultProblems(source.fields, inside);
}

function pathProblems(
  path: string,
  { schema, root, place }: ResultPlace & { readonly root: JsonSchema },
): string[] {
  if (findSchema(path, { schema, root }) !== undefined) return [];
  const known = fieldNames({ schema, root });
  return [`${place}: the tool returns no ${path}${orMeant(nearestNames(path, known, 1))}`];
}

function argumentProblems(name: string, { inputSchema, place }: ResultPlace): string[] {
  const { properties } = inputSchema;
  if (properties === undefined || Object.hasOwn(properties, name)) return [];
  return [`${place}: ${name} is not a parameter${orMeant(nearestNames(name, Object.keys(properties), 1))}`];
}
