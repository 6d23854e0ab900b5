import { isAbsolute } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema, Validation, ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import type { Dialect, DialectParam, DialectParams, DialectTool, OwnParam } from "./dialect.ts";
import { toCanonicalValue } from "./dialect-value.ts";

/** A call's input in the tool's own terms, or its problems in the caller's terms. */
export type Translation =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[]; readonly hint?: InputHint };

/** Needs the workspace's root, which the caller may not know. */
export type InputHint = (workspace: string) => string;

export interface InputForm extends Pick<DialectTool, "params" | "ownParams"> {
  /** The tool's own schema. */
  readonly canonicalSchema: JsonSchema;
  /** The same schema as the dialect shows it. */
  readonly dialectSchema: JsonSchema;
  readonly pathPolicy: Dialect["pathPolicy"];
}

/**
 * Checks the input against the schema that the caller was shown, so that every error uses the caller's names and
 * numbers. Only then is the input translated to the tool's own terms.
 */
export function createInputTranslation(form: InputForm): (input: unknown) => Translation {
  const { canonicalSchema, params = {}, ownParams = {}, pathPolicy } = form;
  const parameters = listParameters(canonicalSchema, params);
  const shownNames = listShownNames(params);
  const own = new Map(Object.entries(ownParams));
  const renamed = [...parameters]
    .map(([shown, { canonicalName }]): [string, string] => [shown, canonicalName])
    .filter(([, canonicalName]) => !parameters.has(canonicalName) && !own.has(canonicalName));
  const fixed = Object.entries(params).filter(([, param]) => param?.fixed !== undefined);
  const fixedInput = Object.fromEntries(fixed.map(([name, param]) => [name, param?.fixed]));
  let validate: ((input: unknown) => Validation) | undefined;
  return (given) => {
    const { input, issues: doubles } = withShownNames(given, shownNames);
    if (doubles.length > 0) return { ok: false, issues: doubles };
    // Compiled on first use: most listed tools are never called.
    validate ??= compileSchema(form.dialectSchema);
    const validation = validate(input);
    if (!validation.ok) return { ...validation, ...renamedHint(input, renamed) };
    if (pathPolicy === "absolute") {
      // Only paths that the caller sent: a default such as "." may be relative.
      const issues = relativePathIssues(input, parameters, "$");
      if (issues.length > 0) return { ok: false, issues, hint: absolutePathHint };
    }
    if (!isPlainObject(validation.value)) return { ok: true, input: validation.value };
    const { others, values } = separate(validation.value, own);
    const canonical = { ...toCanonicalInput(values, parameters), ...fixedInput };
    for (const [name, value] of others) append(canonical, own.get(name)?.appendsTo, value);
    return { ok: true, input: canonical };
  };
}

/** A caller may know the tool's own names from elsewhere. */
function renamedHint(
  input: unknown,
  renamed: readonly [shown: string, canonicalName: string][],
): { readonly hint?: InputHint } {
  const found =
    isPlainObject(input) && renamed.find(([, canonicalName]) => Object.hasOwn(input, canonicalName));
  return found ? { hint: () => `Use ${found[0]} in place of ${found[1]}.` } : {};
}

const absolutePathHint: InputHint = (workspace) =>
  `Use an absolute path that starts with the workspace root, ${workspace}.`;

interface Parameter {
  readonly canonicalName: string;
  readonly param: DialectParam;
  readonly isPath: boolean;
  /** For a list of objects: their fields. */
  readonly items?: ReadonlyMap<string, Parameter>;
}

/** By the dialect's name. */
function listParameters(schema: JsonSchema, params: DialectParams): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const [canonicalName, property] of Object.entries(schema.properties ?? {})) {
    const param = params[canonicalName];
    if (param === null || param?.fixed !== undefined) continue;
    const inner = isPlainObject(property) ? property : {};
    const isPath = inner.format === "path";
    const items = isPlainObject(inner.items) ? listParameters(inner.items, param?.items ?? {}) : undefined;
    const parameter = { canonicalName, param: param ?? {}, isPath, ...(items && { items }) };
    parameters.set(param?.name ?? canonicalName, parameter);
  }
  return parameters;
}

/** Name that is accepted → name that is shown for the same parameter. */
function listShownNames(params: DialectParams): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(params).flatMap(([canonicalName, param]) =>
      (param?.otherNames ?? []).map((other): [string, string] => [other, param?.name ?? canonicalName]),
    ),
  );
}

/** The input with each parameter under the name that is shown; two values for one parameter are a problem. */
function withShownNames(
  input: unknown,
  shownNames: ReadonlyMap<string, string>,
): { input: unknown; issues: ValidationIssue[] } {
  if (shownNames.size === 0 || !isPlainObject(input)) return { input, issues: [] };
  const renamed = new Map<string, unknown>();
  const issues: ValidationIssue[] = [];
  for (const [name, value] of Object.entries(input)) {
    const shown = shownNames.get(name) ?? name;
    if (renamed.has(shown)) issues.push(givenTwice(shown));
    else renamed.set(shown, value);
  }
  return { input: Object.fromEntries(renamed), issues };
}

function givenTwice(shown: string): ValidationIssue {
  const path = `$.${shown}`;
  const expected = "one value";
  const received = "two, under two of its names";
  return { path, expected, received, message: `${path} must have ${expected}; received ${received}` };
}

function relativePathIssues(
  input: unknown,
  parameters: ReadonlyMap<string, Parameter>,
  place: string,
): ValidationIssue[] {
  if (!isPlainObject(input)) return [];
  return Object.entries(input).flatMap(([name, value]) => {
    const { isPath = false, items } = parameters.get(name) ?? {};
    const path = `${place}.${name}`;
    if (items !== undefined && Array.isArray(value))
      return value.flatMap((item, index) => relativePathIssues(item, items, `${path}[${index}]`));
    if (!isPath || typeof value !== "string" || isAbsolute(value)) return [];
    const expected = "an absolute path";
    const received = JSON.stringify(value);
    return [{ path, expected, received, message: `${path} must be ${expected}; received ${received}` }];
  });
}

function toCanonicalInput(
  input: Record<string, unknown>,
  parameters: ReadonlyMap<string, Parameter>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const parameter = parameters.get(name);
      if (parameter === undefined) return [name, value];
      const { canonicalName, param, items } = parameter;
      if (items === undefined || !Array.isArray(value))
        return [canonicalName, toCanonicalValue(value, param)];
      return [
        canonicalName,
        value.map((item) => (isPlainObject(item) ? toCanonicalInput(item, items) : item)),
      ];
    }),
  );
}

function separate(
  input: Record<string, unknown>,
  own: ReadonlyMap<string, OwnParam>,
): { others: [string, unknown][]; values: Record<string, unknown> } {
  if (own.size === 0) return { others: [], values: input };
  const entries = Object.entries(input);
  return {
    others: entries.filter(([name]) => own.has(name)),
    values: Object.fromEntries(entries.filter(([name]) => !own.has(name))),
  };
}

function append(input: Record<string, unknown>, name: string | undefined, value: unknown): void {
  if (name === undefined || value === undefined || value === "") return;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const before = input[name];
  input[name] = typeof before === "string" && before !== "" ? `${before}\n\n${text}` : text;
}
