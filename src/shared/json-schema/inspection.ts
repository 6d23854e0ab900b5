import { describeValue } from "./describe-value.ts";
import { formatPath } from "./format-path.ts";
import { issueOf, type ValidationIssue } from "./json-schema.ts";

/**
 * One value being checked: where the checks stand in it and the problems that they found. It is written to in
 * place, because a valid input is the common case and should cost no memory.
 */
export interface Inspection {
  readonly path: PropertyKey[];
  issues: ValidationIssue[];
  failures: number;
  /** While a form is only tried: problems are counted, not described, and no default is filled in. */
  isTrial: boolean;
  fillsDefaults: boolean;
  steps: number;
}

export type SchemaCheck = (value: unknown, inspection: Inspection) => void;

export function startInspection(fillsDefaults: boolean): Inspection {
  return { path: [], issues: [], failures: 0, isTrial: false, fillsDefaults, steps: 0 };
}

/** Runs a check on something inside the value. */
export function checkAt(key: PropertyKey, value: unknown, check: SchemaCheck, inspection: Inspection): void {
  inspection.path.push(key);
  check(value, inspection);
  inspection.path.pop();
}

export function report(inspection: Inspection, expected: string, value: unknown): void {
  reportIssue(inspection, (path) => issueOf(path, expected, describeValue(value)));
}

export function reportWrongType(inspection: Inspection, expected: string, value: unknown): void {
  reportIssue(inspection, (path) => ({ ...issueOf(path, expected, describeValue(value)), wrongType: true }));
}

/** Reports a problem with the given message instead of "must be … received …". */
export function reportInWords(
  inspection: Inspection,
  wording: () => string,
  { expected, value }: { expected: string; value: unknown },
): void {
  reportIssue(inspection, (path) => ({
    path,
    expected,
    received: describeValue(value),
    message: `${path} ${wording()}`,
  }));
}

/** Whether the value matches a form, without reporting problems or filling in defaults. */
export function fits(check: SchemaCheck, value: unknown, inspection: Inspection): boolean {
  const { failures, isTrial, fillsDefaults } = inspection;
  countStep(inspection);
  inspection.isTrial = true;
  inspection.fillsDefaults = false;
  check(value, inspection);
  const fitted = inspection.failures === failures;
  inspection.failures = failures;
  inspection.isTrial = isTrial;
  inspection.fillsDefaults = fillsDefaults;
  return fitted;
}

/** Problems of the value under one form alone. */
export function explain(check: SchemaCheck, value: unknown, inspection: Inspection): ValidationIssue[] {
  const { issues, failures, fillsDefaults } = inspection;
  countStep(inspection);
  inspection.issues = [];
  inspection.fillsDefaults = false;
  check(value, inspection);
  const found = inspection.issues;
  inspection.issues = issues;
  inspection.failures = failures;
  inspection.fillsDefaults = fillsDefaults;
  return found;
}

/** Thrown rather than reported: inside a `not`, a reported problem would count as a success. */
export class TooComplexError extends Error {}

// Forms within forms multiply; no honest schema comes near this, and a hostile one costs under a second.
const maxSteps = 1_000_000;

export function countStep(counter: { steps: number }, most = maxSteps): void {
  if (++counter.steps > most) throw new TooComplexError(`more than ${most} steps`);
}

const maxIssues = 50;

function reportIssue(inspection: Inspection, create: (path: string) => ValidationIssue): void {
  inspection.failures++;
  if (inspection.isTrial || inspection.issues.length >= maxIssues) return;
  inspection.issues.push(create(formatPath(inspection.path)));
}
