import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema, ValidationIssue } from "../../../shared/json-schema/json-schema.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import type { Dialect, DialectDefinition, ResultFields, ResultSource } from "../dialect.ts";
import { allDialectNames } from "../dialects.ts";
import { canonical } from "../tables/canonical.ts";
import { fieldNames, findSchema, itemSchema } from "../translate-output-schema.ts";
import { dialectSchema } from "./dialect-schema.ts";
import { inputProblems } from "./input-problems.ts";

export interface DialectPlace {
  /** The built-in tools, by canonical name. */
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** The dialects that it must not contradict. */
  readonly others: readonly Dialect[];
}

/**
 * Checks a user's dialect. Throws a TypeError that names every problem, because a mistake here would be a broken tool
 * later.
 */
export function checkDialect(given: unknown, place: DialectPlace): Dialect {
  const form = compileSchema(dialectSchema)(given);
  if (!form.ok) throw invalid(given, form.issues.map(formProblem));
  const definition = form.value as DialectDefinition;
  const problems = [...nameProblems(definition, place), ...toolProblems(definition, place)];
  if (problems.length > 0) throw invalid(given, problems);
  return { ...canonical, ...definition };
}

/** Paths begin at the dialect, which the message has named already. */
function formProblem({ message }: ValidationIssue): string {
  return message.replace(/^\$\.?/, (root) => (root === "$" ? "it" : ""));
}

const maxProblems = 10;

function invalid(given: unknown, problems: readonly string[]): TypeError {
  const name = (given as { readonly name?: unknown } | null)?.name;
  const which = typeof name === "string" ? ` ${JSON.stringify(name.slice(0, 64))}` : "";
  const more = problems.length - maxProblems;
  const shown = [...problems.slice(0, maxProblems), ...(more > 0 ? [`${more} more`] : [])];
  return new TypeError(`the dialect${which} is invalid: ${shown.join("; ")}`);
}

function nameProblems({ name, tools }: DialectDefinition, { tools: known, others }: DialectPlace): string[] {
  const problems: string[] = [];
  if (name === "auto") problems.push("name: auto means that the dialect is chosen by the model");
  const meanings = allDialectNames(others.filter((other) => other.name !== name));
  for (const tool of known.values())
    for (const own of [tool.name, ...tool.aliases]) meanings.set(own, tool.name);
  const seen = new Set<string>();
  for (const [canonicalName, row] of Object.entries(tools)) {
    const place = `tools.${canonicalName}`;
    for (const each of [row.name, ...(row.aliases ?? [])]) {
      const meaning = meanings.get(each) ?? canonicalName;
      if (seen.has(each)) problems.push(`${place}: ${each} is the name of another tool here`);
      // Rules apply to a name in every dialect, so it may not mean two tools.
      if (meaning !== canonicalName)
        problems.push(`${place}: ${each} is a name of ${meaning}, and rules on it would mean both`);
      if (each.startsWith("mcp_"))
        problems.push(`${place}: names that begin with mcp_ belong to MCP servers, not ${each}`);
      seen.add(each);
    }
  }
  return problems;
}

function toolProblems({ tools, failure = {} }: DialectDefinition, { tools: known }: DialectPlace): string[] {
  const inTools = Object.entries(tools).flatMap(([name, row]) => {
    const tool = known.get(name);
    const place = `tools.${name}`;
    if (tool === undefined)
      return [`${place} is not a built-in tool${orMeant(nearestNames(name, known.keys(), 1))}`];
    const { inputSchema, outputSchema: root = {} } = tool;
    const output = { schema: root, root, inputSchema, place: `${place}.result` };
    return [
      ...inputProblems(row, { schema: inputSchema, place }),
      ...resultProblems(row.result ?? {}, output),
    ];
  });
  const inFailure = { schema: failureSchema, root: failureSchema, inputSchema: {}, place: "failure" };
  return [...inTools, ...resultProblems(failure, inFailure)];
}

/** The fields that the shape of a failed call can use. */
const failureFields = ["code", "message", "hint", "retryable", "tool", "partial"];
const failureSchema: JsonSchema = {
  type: "object",
  properties: Object.fromEntries(failureFields.map((field) => [field, true])),
};

interface ResultPlace {
  /** Of the data that the fields are made of. */
  readonly schema: unknown;
  readonly inputSchema: JsonSchema;
  /** The whole output, in which references are looked up. */
  readonly root: JsonSchema;
  /** In the dialect, for messages: `tools.file_read.result`. */
  readonly place: string;
}

/** Which sources of a dialect's fields name nothing that the tool returns or takes. */
function resultProblems(fields: ResultFields, within: ResultPlace): string[] {
  return Object.entries(fields).flatMap(([field, source]) => {
    const place = `${within.place}.${field}`;
    if (field in Object.prototype) return [`${place}: no field can be called ${field}`];
    return sourceProblems(source, { ...within, place });
  });
}

function sourceProblems(source: ResultSource, within: ResultPlace): string[] {
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

function pathProblems(path: string, { schema, root, place }: ResultPlace): string[] {
  if (findSchema(path, { schema, root }) !== undefined) return [];
  const known = fieldNames({ schema, root });
  return [`${place}: the tool returns no ${path}${orMeant(nearestNames(path, known, 1))}`];
}

function argumentProblems(name: string, { inputSchema, place }: ResultPlace): string[] {
  const { properties } = inputSchema;
  if (properties === undefined || Object.hasOwn(properties, name)) return [];
  return [`${place}: ${name} is not a parameter${orMeant(nearestNames(name, Object.keys(properties), 1))}`];
}
