import { cloneJson, NotJsonError } from "./clone-json.ts";
import { report, rootFrame } from "./frame.ts";
import { type JsonSchema, SchemaError, type Validation, type ValidationIssue } from "./json-schema.ts";
import { type Check, keywordChecks, unsupportedKeywords } from "./keyword-checks.ts";

/**
 * Turns a JSON Schema 2020-12 into a check. The check works on a copy of the value, fills in defaults,
 * and names every problem with its path, what was expected and what was received.
 */
export function compileSchema(root: JsonSchema): (value: unknown) => Validation {
  const compiled = new Map<unknown, Check>();
  const compile = (schema: unknown, at: string): Check => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // Entered before its parts are compiled, so that a schema may refer to itself.
    let check: Check = () => {};
    compiled.set(schema, (value, frame) => check(value, frame));
    check = compileOne(schema, at);
    compiled.set(schema, check);
    return check;
  };
  const compileOne = (schema: unknown, at: string): Check => {
    if (schema === true) return () => {};
    if (schema === false) return (value, frame) => report(frame, "absent", value);
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
      throw new SchemaError(`${at} must be a schema (an object, true or false)`);
    }
    const checks: Check[] = [];
    for (const [keyword, create] of keywordChecks) {
      if (!Object.hasOwn(schema, keyword)) continue;
      const check = create((schema as JsonSchema)[keyword], {
        schema: schema as JsonSchema,
        at,
        root,
        compile,
      });
      if (check !== undefined) checks.push(check);
    }
    for (const keyword of unsupportedKeywords) {
      if (Object.hasOwn(schema, keyword)) {
        throw new SchemaError(`${at}/${keyword} is not supported; it would be accepted but never checked`);
      }
    }
    if (checks.length === 1) return checks[0]!;
    return (value, frame) => {
      for (const check of checks) check(value, frame);
    };
  };

  const check = compile(root, "#");
  return (value) => {
    let copy: unknown;
    try {
      copy = cloneJson(value);
    } catch (error) {
      if (error instanceof NotJsonError) return { ok: false, issues: [error.issue] };
      throw error;
    }
    const issues: ValidationIssue[] = [];
    check(copy, rootFrame(issues));
    return issues.length === 0 ? { ok: true, value: copy } : { ok: false, issues };
  };
}
