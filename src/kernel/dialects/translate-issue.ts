import type { ValidationIssue } from "../../shared/json-schema/json-schema.ts";
import type { DialectParams } from "./dialect.ts";

/**
 * Translates a problem's path from the tool's own terms to the caller's. Needed for checks that a schema library adds
 * to the JSON Schema; everything else was already checked in the caller's terms.
 */
export function translateIssue(issue: ValidationIssue, params: DialectParams = {}): ValidationIssue {
  const path = translatePath(issue.path, params);
  if (path === issue.path) return issue;
  const message = issue.message.startsWith(issue.path)
    ? path + issue.message.slice(issue.path.length)
    : issue.message;
  return { ...issue, path, message };
}

/** `$.edits[0].old_string`: a name, perhaps the number of an entry, and what is inside. */
function translatePath(path: string, params: DialectParams): string {
  const [, canonicalName = "", rest = ""] = /^\$\.([^.[]+)(.*)$/s.exec(path) ?? [];
  const param = params[canonicalName];
  if (canonicalName === "" || !param) return path;
  const [, entry = "", inside = ""] = /^(\[\d+\])(\..*)$/s.exec(rest) ?? [];
  const translated =
    param.items && inside !== "" ? entry + translatePath(`$${inside}`, param.items).slice(1) : rest;
  return `$.${param.name ?? canonicalName}${translated}`;
}
