import { isPlainObject } from "../json.ts";
import type { ValidationIssue } from "./json-schema.ts";

export class NotJsonError extends Error {
  readonly issue: ValidationIssue;

  constructor(path: string, received: string) {
    const message = `${path} must be a JSON value; received ${received}`;
    super(message);
    this.issue = { path, expected: "a JSON value", received, message };
  }
}

const maxDepth = 100;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/** A copy that nobody else holds, made only of plain JSON; anything else is refused with its path. */
export function cloneJson(value: unknown, path = "$", depth = 0): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new NotJsonError(path, String(value));
    return value;
  }
  if (depth > maxDepth) throw new NotJsonError(path, `something nested more than ${maxDepth} deep`);
  if (Array.isArray(value)) return cloneArray(value, path, depth);
  if (isPlainObject(value)) return cloneObject(value, path, depth);
  throw new NotJsonError(
    path,
    typeof value === "object" ? "an instance of a class" : `a value of type ${typeof value}`,
  );
}

function cloneArray(array: unknown[], path: string, depth: number): unknown[] {
  const copy: unknown[] = new Array(array.length);
  for (let index = 0; index < array.length; index++) {
    copy[index] = cloneJson(array[index], `${path}[${index}]`, depth + 1);
  }
  return copy;
}

function cloneObject(object: Record<string, unknown>, path: string, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    if (forbiddenKeys.has(key)) throw new NotJsonError(path, `an object with the key ${key}`);
    const inner = object[key];
    // What JSON.stringify would leave out is left out: callers in code write { limit: undefined }.
    if (inner !== undefined) copy[key] = cloneJson(inner, `${path}.${key}`, depth + 1);
  }
  return copy;
}
