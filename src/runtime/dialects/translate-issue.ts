import type { ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import type { DialectTool } from "./dialect.ts";

/**
 * Translates a problem's path from the tool's own terms to the caller's. Needed for checks that a schema library adds
 * to the JSON Schema; everything else was already checked in the caller's terms.
 */
export function translateIssue(issue: ValidationIssue, params: DialectTool["params"] = {}): ValidationIssue {
  for (const [canonicalName, param] of Object.entries(params)) {
    const canonicalPath = `$.${canonicalName}`;
    if (param?.name === undefined || !isAtOrInside(issue.path, canonicalPath)) continue;
    const path = `$.${param.name}${issue.path.slice(canonicalPath.length)}`;
    const message = issue.message.startsWith(issue.path)
      ? path + issue.message.slice(issue.path.length)
      : issue.message;
    return { ...issue, path, message };
  }
  return issue;
}

function isAtOrInside(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}.`) || path.startsWith(`${ancestor}[`);
}
