import type { RequestBody } from "./wire-format.ts";

/** What Gemini refuses about the JSON Schema of a function's parameters. */
export function findSchemaProblems(schema: unknown, path = "parameters"): string[] {
  if (typeof schema !== "object" || schema === null) return [`${path} is no object`];
  const { type, properties = {}, required = [], items, prefixItems, ...others } = schema as RequestBody;
  const problems: string[] = [];
  if (path === "parameters" && type !== "object") problems.push("parameters are no object's");
  for (const name of required)
    if (!Object.hasOwn(properties, name)) problems.push(`${path}.required: ${name} is not defined`);
  if (type === "array" && items === undefined && prefixItems === undefined)
    problems.push(`${path}.items: missing field`);
  const beside = Object.keys(schema).filter((keyword) => !keyword.startsWith("$"));
  if (others.$ref !== undefined && beside.length > 0)
    problems.push(`${path}: beside $ref there is ${beside.join()}`);
  if (others.enum?.some((value: unknown) => typeof value !== "string" && typeof value !== "number"))
    problems.push(`${path}.enum: only strings and numbers`);
  const inner = [
    ...Object.entries(properties),
    ...Object.entries(others.$defs ?? {}),
    ...(typeof items === "object" ? [["items", items] as const] : []),
    ...["anyOf", "oneOf"].flatMap((keyword) => Object.entries(others[keyword] ?? [])),
  ];
  return [...problems, ...inner.flatMap(([name, each]) => findSchemaProblems(each, `${path}.${name}`))];
}
