import { formatPath } from "../format-path.ts";
import { explain, type Inspection, report } from "../inspection.ts";
import type { ValidationIssue } from "../json-schema.ts";
import { isTaggedAs, type SchemaForm } from "./schema-form.ts";

/** Reports only the forms that came closest, so that the message says what to change. */
export function reportNoFormFits(forms: readonly SchemaForm[], value: unknown, inspection: Inspection): void {
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
  const expected = joinExpected(alike);
  return [{ ...issue, expected, message: `${issue.path} must be ${expected}; received ${issue.received}` }];
}
