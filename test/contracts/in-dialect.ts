import { join } from "node:path";
import type { Dialect, DialectParams } from "../../src/kernel/dialects/dialect.ts";
import { toDialectValue } from "../../src/kernel/dialects/dialect-value.ts";
import { isPlainObject } from "../../src/shared/json.ts";
import type { JsonSchema } from "../../src/shared/json-schema/json-schema.ts";
import type { AnyTool } from "../../src/tool/define-tool.ts";

export interface Spoken {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/**
 * A call of a tool as a dialect writes it. Where the dialect cannot say it, because it hides a parameter or fixes another
 * value, the call is by the tool's own name, as in every dialect.
 */
export function inDialect(
  dialect: Dialect,
  tool: AnyTool,
  input: Record<string, unknown>,
  workspace: string,
): Spoken {
  const row = dialect.tools[tool.name];
  const asItIs = { name: tool.name, input };
  if (row === undefined) return asItIs;
  const { params = {}, ownParams = {} } = row;
  const schema = tool.inputSchema;
  const whole = { ...whereDefaultsDiffer(schema, params), ...input };
  if (Object.keys(whole).some((name) => !canSay(name, whole[name], params))) return asItIs;
  const isLacking = (name: string) => params[name]?.default !== undefined && !(name in whole);
  if (Object.keys(params).some(isLacking))
    throw new Error(`${tool.name} needs a value where ${dialect.name} has a default`);
  const required = Object.entries(ownParams).filter(([, { isRequired }]) => isRequired);
  const own = required.map(([name, { schema: of }]) => [name, of.enum?.[0] ?? "x"]);
  const root = dialect.pathPolicy === "absolute" ? workspace : undefined;
  return {
    name: row.name,
    input: { ...rename(whole, { params, schema, root }), ...Object.fromEntries(own) },
  };
}

/** Where the dialect has another default, the tool's own has to be said. */
function whereDefaultsDiffer(schema: JsonSchema, params: DialectParams): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      params[name]?.default !== undefined && isPlainObject(property) && property.default !== undefined
        ? [[name, property.default]]
        : [],
    ),
  );
}

function canSay(name: string, value: unknown, params: DialectParams): boolean {
  const param = params[name];
  return param !== null && (param?.fixed === undefined || param.fixed === value);
}

function rename(
  input: Record<string, unknown>,
  { params, schema, root }: { params: DialectParams; schema: JsonSchema; root: string | undefined },
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const property = schema.properties?.[name];
      const { format, items } = (isPlainObject(property) ? property : {}) as JsonSchema;
      const param = params[name] ?? {};
      if (param.fixed !== undefined) return [];
      const shown = param.name ?? name;
      if (format === "path" && root !== undefined) return [[shown, join(root, String(value))]];
      if (!Array.isArray(value) || !isPlainObject(items)) return [[shown, toDialectValue(value, param)]];
      const inner = { params: param.items ?? {}, schema: items as JsonSchema, root };
      return [[shown, value.map((item) => (isPlainObject(item) ? rename(item, inner) : item))]];
    }),
  );
}
