import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";
import type { AnyTool } from "../../../tool/define-tool.ts";
import type { Dialect, DialectDefinition } from "../dialect.ts";
import { allDialectNames } from "../dialects.ts";
import { canonical } from "../tables/canonical.ts";
import { dialectSchema } from "./dialect-schema.ts";
import { inputProblems } from "./input-problems.ts";
import { resultProblems } from "./result-problems.ts";

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
  if (!form.ok)
    throw invalid(
      given,
      form.issues.map(({ message }) => message.replace(/^\$\.?/, fromRoot)),
    );
  const definition = form.value as DialectDefinition;
  const problems = [...nameProblems(definition, place), ...toolProblems(definition, place)];
  if (problems.length > 0) throw invalid(given, problems);
  return { ...canonical, ...definition };
}

/** Paths begin at the dialect, which the message has named already. */
function fromRoot(root: string): string {
  return root === "$" ? "it" : "";
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
    for (const each of [row.name, ...(row.aliases ?? [])]) {
      const meaning = meanings.get(each) ?? canonicalName;
      if (seen.has(each)) problems.push(`tools.${canonicalName}: ${each} is the name of another tool here`);
      // Rules apply to a name in every dialect, so it may not mean two tools.
      if (meaning !== canonicalName)
        problems.push(
          `tools.${canonicalName}: ${each} is a name of ${meaning}, and rules on it would mean both`,
        );
      if (each.startsWith("mcp_"))
        problems.push(
          `tools.${canonicalName}: names that begin with mcp_ belong to MCP servers, not ${each}`,
        );
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
    const { inputSchema, outputSchema = {} } = tool;
    return [
      ...inputProblems(row, { inputSchema, place }),
      ...resultProblems(row.result ?? {}, { schema: outputSchema, inputSchema, place: `${place}.result` }),
    ];
  });
  const inFailure = resultProblems(failure, { schema: failureSchema, inputSchema: {}, place: "failure" });
  return [...inTools, ...inFailure];
}

const anything: JsonSchema = {};

/** The fields that the shape of a failed call can use. */
const failureSchema: JsonSchema = {
  type: "object",
  properties: {
    code: anything,
    message: anything,
    hint: anything,
    retryable: anything,
    tool: anything,
    partial: anything,
  },
};
