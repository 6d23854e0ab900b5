import { isPlainObject } from "../../../shared/json.ts";
import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { orMeant } from "../../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";
import type { DialectParam, DialectParams, DialectTool } from "../dialect.ts";
import { translateSchema } from "../translate-schema.ts";

interface ParamsPlace {
  /** Of the tool's input, or of a part of it. */
  readonly schema: JsonSchema;
  /** In the dialect, for messages: `tools.file_read`. */
  readonly place: string;
}

/** Lists the mistakes in a dialect's parameters of one tool. */
export function inputProblems(row: DialectTool, { schema, place }: ParamsPlace): string[] {
  const { params = {}, ownParams = {} } = row;
  const problems = [
    ...paramsProblems(params, { schema, place: `${place}.params` }),
    ...ownParamProblems(row, { schema, place }),
    ...shownNameProblems(params, { schema, place, own: Object.keys(ownParams) }),
  ];
  // Only a dialect without other problems has defaults that can be tried.
  return problems.length > 0 ? problems : defaultProblems(row, { schema, place });
}

function paramsProblems(params: DialectParams, { schema, place }: ParamsPlace): string[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(params).flatMap(([name, param]) => {
    const at = `${place}.${name}`;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isPlainObject(property))
      return [`${at} is not a parameter${orMeant(nearestNames(name, Object.keys(properties), 1))}`];
    if (param === null) return required.includes(name) ? [`${at} is required, so it cannot be hidden`] : [];
    return paramProblems(param, { schema: property, place: at });
  });
}

function paramProblems(param: DialectParam, { schema, place }: ParamsPlace): string[] {
  const { fixed, countsFrom, unit, words, isNegated, items } = param;
  const isNumber = schema.type === "integer" || schema.type === "number";
  const isCounted = countsFrom !== undefined || unit !== undefined;
  const problems: string[] = [];
  if (fixed !== undefined && !compileSchema(schema)(fixed).ok)
    problems.push(`${place}.fixed: the tool does not accept ${JSON.stringify(fixed)}`);
  if (isCounted && (!isNumber || schema.multipleOf !== undefined))
    problems.push(`${place} is not a number that could be counted otherwise`);
  if (isNegated !== undefined && schema.type !== "boolean")
    problems.push(`${place}.isNegated needs a boolean`);
  if (words !== undefined) problems.push(...wordProblems(words, { schema, place: `${place}.words` }));
  if (items !== undefined) problems.push(...itemProblems(items, { schema, place: `${place}.items` }));
  return problems;
}

function wordProblems(words: Readonly<Record<string, string>>, { schema, place }: ParamsPlace): string[] {
  const choices = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  if (choices.length === 0) return [`${place}: the parameter has no fixed choice`];
  const unknown = Object.keys(words).filter((word) => !choices.includes(word));
  const shown = choices.map((choice) => (Object.hasOwn(words, choice) ? words[choice] : choice));
  return [
    ...unknown.map(
      (word) =>
        `${place}.${word} is not one of ${choices.join(", ")}${orMeant(nearestNames(word, choices, 1))}`,
    ),
    ...doubles(shown).map((word) => `${place}: ${word} would stand for two choices`),
  ];
}

function itemProblems(items: DialectParams, { schema, place }: ParamsPlace): string[] {
  const { items: inner } = schema;
  if (!isPlainObject(inner) || !isPlainObject(inner.properties))
    return [`${place}: the parameter is not a list of objects`];
  const within = { schema: inner as JsonSchema, place };
  const renamed = Object.keys(items).filter((name) => items[name]?.otherNames !== undefined);
  return [
    ...renamed.map((name) => `${place}.${name}.otherNames: only a parameter itself can have other names`),
    ...paramsProblems(items, within),
    ...shownNameProblems(items, { ...within, own: [] }),
  ];
}

/** Two parameters of one name would overwrite each other. */
function shownNameProblems(
  params: DialectParams,
  { schema, place, own }: ParamsPlace & { readonly own: readonly string[] },
): string[] {
  const shown = Object.keys(schema.properties ?? {}).flatMap((name) => {
    const param = Object.hasOwn(params, name) ? params[name] : undefined;
    if (param === null || param?.fixed !== undefined) return [];
    return [param?.name ?? name, ...(param?.otherNames ?? [])];
  });
  const names = [...shown, ...own];
  return [
    ...doubles(names).map((name) => `${place}: two parameters are called ${name}`),
    ...names.filter(isInherited).map((name) => `${place}: no parameter can be called ${name}`),
  ];
}

/** Whether every object has a member of this name already. */
function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function ownParamProblems({ ownParams = {} }: DialectTool, { schema, place }: ParamsPlace): string[] {
  const { properties = {} } = schema;
  return Object.entries(ownParams).flatMap(([name, { schema: own, appendsTo }]) => {
    const at = `${place}.ownParams.${name}`;
    const problems = schemaProblems(own, `${at}.schema`);
    if (appendsTo === undefined) return problems;
    const target = Object.hasOwn(properties, appendsTo) ? properties[appendsTo] : undefined;
    if (isPlainObject(target) && target.type === "string") return problems;
    const meant = orMeant(nearestNames(appendsTo, Object.keys(properties), 1));
    return [`${at}.appendsTo: ${appendsTo} is not a parameter that takes a text${meant}`, ...problems];
  });
}

function schemaProblems(schema: JsonSchema, place: string): string[] {
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    return [`${place}: ${(error as Error).message}`];
  }
}

function defaultProblems(row: DialectTool, { schema, place }: ParamsPlace): string[] {
  const { properties = {} } = translateSchema(schema, row);
  return Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property === "boolean" || property.default === undefined) return [];
    const { default: given, ...rest } = property;
    if (compileSchema(rest)(given).ok) return [];
    return [`${place}: the default of ${name} cannot be ${JSON.stringify(given)}`];
  });
}

function doubles(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))] as string[];
}
