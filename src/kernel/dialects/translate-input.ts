import { isAbsolute } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema, Validation, ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import { mapValues } from "../../shared/options/option.ts";
import type { Dialect, DialectParam, DialectParams, DialectTool } from "./dialect.ts";
import { toCanonicalValue } from "./dialect-value.ts";

/** A call's input in the tool's own terms, or its problems in the caller's terms. */
export type Translation =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[]; readonly hint?: InputHint };

/** Advice for the caller. A function, because it names the workspace's root, which the translation does not know. */
export type InputHint = (workspace: string) => string;

interface InputForm {
  readonly params?: DialectTool["params"] | undefined;
  readonly ownParams?: DialectTool["ownParams"] | undefined;
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
  const fixed = defined(mapValues(params, (param) => param?.fixed));
  const paths = pathPolicy === "absolute" ? pathParameters(parameters) : undefined;
  let validate: ((input: unknown) => Validation) | undefined;
  return (given) => {
    const { input, issues: doubles } = withShownNames(given, shownNames);
    if (doubles.length > 0) return { ok: false, issues: doubles };
    // Compiled on first use: most listed tools are never called.
    validate ??= compileSchema(form.dialectSchema);
    const validation = validate(input);
    if (!validation.ok) return { ...validation, ...renamedHint(input, renamed) };
    if (paths !== undefined) {
      // Only paths that the caller sent: a default such as "." may be relative.
      const issues = relativePathIssues(input, paths, "$");
      if (issues.length > 0) return { ok: false, issues, hint: absolutePathHint };
    }
    if (!isPlainObject(validation.value)) return { ok: true, input: validation.value };
    const canonical = toCanonicalInput(validation.value, parameters, own);
    for (const [name, { appendsTo }] of own) append(canonical, appendsTo, validation.value[name]);
    return { ok: true, input: Object.assign(canonical, fixed) };
  };
}

/** A caller may know the tool's own names from elsewhere. */
function renamedHint(
  input: unknown,
  renamed: readonly [shown: string, canonicalName: string][],
): { readonly hint?: InputHint } {
  const given = isPlainObject(input) ? input : {};
  const found = renamed.find(([, canonicalName]) => Object.hasOwn(given, canonicalName));
  return found ? { hint: () => `Use ${found[0]} in place of ${found[1]}.` } : {};
}

const absolutePathHint: InputHint = (workspace) =>
  `Use an absolute path that starts with the workspace root, ${workspace}.`;

interface Parameter {
  readonly canonicalName: string;
  readonly param: DialectParam;
  readonly isPath: boolean;
  /** The dialect's values differ from the tool's. */
  readonly isConverted: boolean;
  /** For a list of objects: their fields. */
  readonly items?: ReadonlyMap<string, Parameter> | undefined;
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
    const isConverted = param !== undefined && isConverting(param);
    const parameter = { canonicalName, param: param ?? {}, isPath, isConverted, items };
    parameters.set(param?.name ?? canonicalName, parameter);
  }
  return parameters;
}

function isConverting({ countsFrom, unit, words, isNegated }: DialectParam): boolean {
  return (countsFrom ?? unit ?? words ?? isNegated) !== undefined;
}

/** The parameters that hold paths, themselves or in their entries. */
function pathParameters(parameters: ReadonlyMap<string, Parameter>): ReadonlyMap<string, Parameter> {
  return new Map(
    [...parameters].flatMap(([name, { items, ...parameter }]): [string, Parameter][] => {
      const inside = items && pathParameters(items);
      if (inside !== undefined && inside.size > 0) return [[name, { ...parameter, items: inside }]];
      return parameter.isPath ? [[name, parameter]] : [];
    }),
  );
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
function withShownNames(input: unknown, shownNames: ReadonlyMap<string, string>) {
  const issues: ValidationIssue[] = [];
  if (shownNames.size === 0 || !isPlainObject(input)) return { input, issues };
  const renamed = new Map<string, unknown>();
  for (const [name, value] of Object.entries(input)) {
    const shown = shownNames.get(name) ?? name;
    const double = { expected: "one value", received: "two, under two of its names" };
    if (renamed.has(shown)) issues.push(issueAt(`$.${shown}`, "have", double));
    else renamed.set(shown, value);
  }
  return { input: Object.fromEntries(renamed), issues };
}

function issueAt(
  path: string,
  verb: "have" | "be",
  { expected, received }: Pick<ValidationIssue, "expected" | "received">,
): ValidationIssue {
  return { path, expected, received, message: `${path} must ${verb} ${expected}; received ${received}` };
}

function relativePathIssues(
  input: unknown,
  paths: ReadonlyMap<string, Parameter>,
  place: string,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  if (!isPlainObject(input)) return issues;
  for (const [name, { items }] of paths) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (items !== undefined && Array.isArray(value))
      for (const [index, item] of value.entries())
        issues.push(...relativePathIssues(item, items, `${place}.${name}[${index}]`));
    if (typeof value !== "string" || isAbsolute(value)) continue;
    const relative = { expected: "an absolute path", received: JSON.stringify(value) };
    issues.push(issueAt(`${place}.${name}`, "be", relative));
  }
  return issues;
}

/** The input was checked before: it has no key that an object inherits. */
function toCanonicalInput(
  input: Record<string, unknown>,
  parameters: ReadonlyMap<string, Parameter>,
  own?: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const canonical: Record<string, unknown> = {};
  for (const name of Object.keys(input)) {
    if (own?.has(name)) continue;
    const parameter = parameters.get(name);
    if (parameter === undefined) canonical[name] = input[name];
    else canonical[parameter.canonicalName] = toCanonicalArgument(input[name], parameter);
  }
  return canonical;
}

function toCanonicalArgument(value: unknown, { param, isConverted, items }: Parameter): unknown {
  if (items !== undefined && Array.isArray(value))
    return value.map((item) => (isPlainObject(item) ? toCanonicalInput(item, items) : item));
  return isConverted ? toCanonicalValue(value, param) : value;
}

function append(input: Record<string, unknown>, name: string | undefined, value: unknown): void {
  if (name === undefined || value === undefined || value === "") return;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const before = input[name];
  input[name] = typeof before === "string" && before !== "" ? `${before}\n\n${text}` : text;
}
