import { isAbsolute } from "node:path";
import { isPlainObject } from "../../shared/json.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema, Validation, ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import { toCanonicalNumber } from "./convert-number.ts";
import type { Dialect, DialectParam, DialectTool } from "./dialect.ts";

/** A call's input in the tool's own terms, or its problems in the caller's terms. */
export type Translation =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[]; readonly hint?: string };

export interface InputForm {
  /** The tool's own schema. */
  readonly canonicalSchema: JsonSchema;
  /** The same schema as the dialect shows it. */
  readonly dialectSchema: JsonSchema;
  readonly params: DialectTool["params"];
  readonly pathPolicy: Dialect["pathPolicy"];
}

/**
 * Checks the input against the schema that the caller was shown, so that every error uses the caller's names and
 * numbers. Only then is the input translated to the tool's own terms.
 */
export function createInputTranslation(form: InputForm): (input: unknown) => Translation {
  const parameters = listParameters(form);
  const pathNames = [...parameters.values()].filter(({ isPath }) => isPath).map(({ name }) => name);
  let validate: ((input: unknown) => Validation) | undefined;
  return (input) => {
    // Compiled on first use: most listed tools are never called.
    validate ??= compileSchema(form.dialectSchema);
    const validation = validate(input);
    if (!validation.ok) return validation;
    if (form.pathPolicy === "absolute") {
      // Only paths that the caller sent: a default such as "." may be relative.
      const sentPaths = pathNames.filter((name) => isPlainObject(input) && input[name] !== undefined);
      const issues = relativePathIssues(validation.value, sentPaths);
      if (issues.length > 0) return { ok: false, issues, hint: absolutePathHint };
    }
    return { ok: true, input: toCanonicalInput(validation.value, parameters) };
  };
}

const absolutePathHint = "Use an absolute path that starts with the workspace root.";

interface Parameter {
  readonly name: string;
  readonly canonicalName: string;
  readonly param: DialectParam;
  readonly isPath: boolean;
}

/** By the dialect's name. */
function listParameters({ canonicalSchema, params = {} }: InputForm): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const [canonicalName, property] of Object.entries(canonicalSchema.properties ?? {})) {
    const param = params[canonicalName];
    if (param === null) continue;
    const name = param?.name ?? canonicalName;
    const isPath = isPlainObject(property) && property.format === "path";
    parameters.set(name, { name, canonicalName, param: param ?? {}, isPath });
  }
  return parameters;
}

function relativePathIssues(input: unknown, names: readonly string[]): ValidationIssue[] {
  if (!isPlainObject(input)) return [];
  const issues: ValidationIssue[] = [];
  for (const name of names) {
    const value = input[name];
    if (typeof value !== "string" || isAbsolute(value)) continue;
    const path = `$.${name}`;
    const expected = "an absolute path";
    const received = JSON.stringify(value);
    issues.push({ path, expected, received, message: `${path} must be ${expected}; received ${received}` });
  }
  return issues;
}

function toCanonicalInput(value: unknown, parameters: ReadonlyMap<string, Parameter>): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const parameter = parameters.get(name);
      if (parameter === undefined) return [name, inner];
      return [parameter.canonicalName, toCanonicalNumber(inner, parameter.param)];
    }),
  );
}
