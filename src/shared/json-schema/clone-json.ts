import { isPlainObject } from "../json.ts";
import { formatPath } from "./format-path.ts";
import { issueOf, type ValidationIssue } from "./json-schema.ts";

/** Copies a value, as plain JSON only; anything else is refused with its path. */
export function cloneJson(value: unknown): unknown {
  return isPrimitive(value) ? value : cloneInner(value, { path: [], containers: 0 });
}

export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
  readonly issue: ValidationIssue;

  constructor(path: string, received: string) {
    const issue = issueOf(path, "a JSON value", received);
    super(issue.message);
    this.issue = issue;
  }
}

interface Progress {
  readonly path: PropertyKey[];
  containers: number;
}

const maxDepth = 100;
// An object that refers to the same part many times over grows without end when it is written out.
const maxContainers = 1_000_000;

function isPrimitive(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

function cloneInner(value: unknown, progress: Progress): unknown {
  const { path } = progress;
  if (path.length > maxDepth) throw refusal(progress, `something nested more than ${maxDepth} deep`);
  if (++progress.containers > maxContainers) {
    throw refusal(progress, `more than ${maxContainers} objects and arrays`);
  }
  if (Array.isArray(value)) return cloneArray(value, progress);
  if (isPlainObject(value)) return cloneObject(value, progress);
  throw refusal(progress, describeOther(value));
}

function cloneArray(array: readonly unknown[], progress: Progress): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < array.length; index++) {
    const item = array[index];
    copy.push(isPrimitive(item) ? item : cloneAt(index, item, progress));
  }
  return copy;
}

function cloneObject(object: Record<string, unknown>, progress: Progress): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    if (isForbidden(key)) throw refusal(progress, `an object with the key ${key}`);
    const inner = object[key];
    if (isPrimitive(inner)) copy[key] = inner;
    // What JSON.stringify would leave out is left out: callers in code write { limit: undefined }.
    else if (inner !== undefined) copy[key] = cloneAt(key, inner, progress);
  }
  return copy;
}

// Comparing three constants is several times faster than asking a set, and this runs for every key.
function isForbidden(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}

function cloneAt(key: PropertyKey, value: unknown, progress: Progress): unknown {
  progress.path.push(key);
  const copy = cloneInner(value, progress);
  progress.path.pop();
  return copy;
}

function refusal({ path }: Progress, received: string): NotJsonError {
  // The path of a cycle is a hundred keys long, and says nothing after the first few.
  const shown = path.length <= 20 ? formatPath(path) : `${formatPath(path.slice(0, 20))}…`;
  return new NotJsonError(shown, received);
}

function describeOther(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "object" ? "an instance of a class" : `a value of type ${typeof value}`;
}
