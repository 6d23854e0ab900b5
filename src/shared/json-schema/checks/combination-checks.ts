import { fits, type Inspection, report, type SchemaCheck } from "../inspection.ts";
import { type CreateCheck, readSchemas, type SchemaSite } from "../schema-site.ts";
import { reportNoFormFits } from "./report-no-form-fits.ts";
import { readForms, type SchemaForm } from "./schema-form.ts";

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
