import { isPlainObject } from "../../json.ts";
import { formatPath } from "../format-path.ts";
import { explain, fits, type Inspection, report, type SchemaCheck } from "../inspection.ts";
import { issueOf, type ValidationIssue } from "../json-schema.ts";
import { resolvePointer } from "../resolve-pointer.ts";
import { type CreateCheck, isJsonObject, readSchemas, type SchemaSite } from "../schema-site.ts";

/** Schemas made of other schemas for the same value. */
export const combinationChecks = {
  allOf: checkAllOf,
  anyOf: checkAnyOf,
  oneOf: checkOneOf,
  not: checkNot,
  if: checkCondition,
} satisfies Record<string, CreateCheck>;

function checkAllOf(argument: unknown, site: SchemaSite): SchemaCheck {
  const checks = readSchemas(argument, "allOf", site);
  return (value, inspection) => {
    for (const check of checks) check(value, inspection);
  };
}

function checkAnyOf(argument: unknown, site: SchemaSite): SchemaCheck {
  const forms = readForms(argument, "anyOf", site);
  return (value, inspection) => {
    const fitting = forms.find((form) => fits(form.check, value, inspection));
    if (fitting === undefined) reportNoFormFits(forms, value, inspection);
    else fillDefaultsOf(fitting, value, inspection);
  };
}

function checkOneOf(argument: unknown, site: SchemaSite): SchemaCheck {
  const forms = readForms(argument, "oneOf", site);
  return (value, inspection) => {
    const fitting = forms.filter((form) => fits(form.check, value, inspection));
    if (fitting.length === 0) reportNoFormFits(forms, value, inspection);
    else if (fitting.length === 1) fillDefaultsOf(fitting[0]!, value, inspection);
    else report(inspection, `exactly one of ${forms.length} forms (it fits ${fitting.length})`, value);
  };
}

/** A form is tried without its defaults; once it is chosen they belong to the value. */
function fillDefaultsOf({ check }: SchemaForm, value: unknown, inspection: Inspection): void {
  if (inspection.fillsDefaults) check(value, inspection);
}

function checkNot(schema: unknown, { at, compile }: SchemaSite): SchemaCheck {
  const check = compile(schema, `${at}/not`);
  return (value, inspection) => {
    if (fits(check, value, inspection)) report(inspection, "something other than this form", value);
  };
}

function checkCondition(condition: unknown, { schema, at, compile }: SchemaSite): SchemaCheck {
  const check = compile(condition, `${at}/if`);
  const whenTrue = schema.then === undefined ? undefined : compile(schema.then, `${at}/then`);
  const whenFalse = schema.else === undefined ? undefined : compile(schema.else, `${at}/else`);
  return (value, inspection) => {
    const branch = fits(check, value, inspection) ? whenTrue : whenFalse;
    branch?.(value, inspection);
  };
}

/** Reports only the forms that came closest, so that the message says what to change. */
function reportNoFormFits(forms: readonly SchemaForm[], value: unknown, inspection: Inspection): void {
  if (inspection.isTrial) {
    inspection.failures++;
    return;
  }
  const here = formatPath(inspection.path);
  const meant = forms.filter((form) => isTaggedAs(form, value));
  const candidates = meant.length > 0 ? meant : forms;
  const explanations = candidates.map(({ check }) => explain(check, value, inspection));
  const inside = explanations.filter((issues) => issues.some((issue) => issue.path !== here));
  if (inside.length === 0) {
    report(inspection, joinExpected(explanations.flat()), value);
    return;
  }
  const closest = findClosest(inside);
  inspection.failures += closest.length;
  inspection.issues.push(...closest);
}

function joinExpected(issues: readonly ValidationIssue[]): string {
  return [...new Set(issues.map((issue) => issue.expected))].join(" or ");
}

/** The form with the fewest problems; a wrong tag such as `kind` is a problem of all forms and reported once. */
function findClosest(explanations: readonly ValidationIssue[][]): ValidationIssue[] {
  const fewest = Math.min(...explanations.map((issues) => issues.length));
  const nearest = explanations.filter((issues) => issues.length === fewest);
  const first = nearest[0]!;
  const [issue] = first;
  if (fewest !== 1 || issue === undefined) return first;
  const alike = nearest.map((issues) => issues[0]!).filter(({ path }) => path === issue.path);
  if (alike.length < nearest.length) return first;
  return [{ ...issue, ...issueOf(issue.path, joinExpected(alike), issue.received) }];
}

/** One of several forms a value may have. */
interface SchemaForm {
  readonly check: SchemaCheck;
  /** The properties that tell this form from others, such as `kind`, and what each must be. */
  readonly tags: readonly (readonly [name: string, value: unknown])[];
}

function readForms(argument: unknown, keyword: string, site: SchemaSite): SchemaForm[] {
  const checks = readSchemas(argument, keyword, site);
  return checks.map((check, index) => ({ check, tags: readTags((argument as unknown[])[index], site) }));
}

/** Whether the value's tag properties select this form. */
function isTaggedAs({ tags }: SchemaForm, value: unknown): boolean {
  return tags.length > 0 && isJsonObject(value) && tags.every(([name, tag]) => value[name] === tag);
}

function readTags(schema: unknown, { root }: SchemaSite): [string, unknown][] {
  if (!isPlainObject(schema)) return [];
  const form = typeof schema.$ref === "string" ? resolvePointer(root, schema.$ref) : schema;
  if (!isPlainObject(form) || !isPlainObject(form.properties)) return [];
  return Object.entries(form.properties).flatMap(([name, property]): [string, unknown][] =>
    isPlainObject(property) && property.const !== undefined ? [[name, property.const]] : [],
  );
}
