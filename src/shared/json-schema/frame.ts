import type { ValidationIssue } from "./json-schema.ts";

/** Where in the value a check stands, and where it reports to. The path is put together only when something is wrong. */
export interface Frame {
  readonly parent: Frame | undefined;
  readonly key: string | number;
  readonly issues: ValidationIssue[];
  /** Off inside choices, where a form that fails in the end must leave no trace. */
  readonly fillsDefaults: boolean;
  readonly depth: number;
}

export function rootFrame(issues: ValidationIssue[]): Frame {
  return { parent: undefined, key: "$", issues, fillsDefaults: true, depth: 0 };
}

export function frameAt(parent: Frame, key: string | number): Frame {
  return { parent, key, issues: parent.issues, fillsDefaults: parent.fillsDefaults, depth: parent.depth };
}

/** The same place with an empty list of issues, to try a form without deciding for it. */
export function trialFrame(frame: Frame): Frame {
  return { ...frame, issues: [], fillsDefaults: false };
}

export function deeperFrame(frame: Frame): Frame {
  return { ...frame, depth: frame.depth + 1 };
}

export function pathOf(frame: Frame): string {
  if (frame.parent === undefined) return "$";
  return pathOf(frame.parent) + formatKey(frame.key);
}

export function report(frame: Frame, expected: string, value: unknown): void {
  const path = pathOf(frame);
  const received = describe(value);
  frame.issues.push({
    path,
    expected,
    received,
    message: `${path} must be ${expected}; received ${received}`,
  });
}

/** Reports in other words than "must be … received …". */
export function reportInWords(
  frame: Frame,
  wording: string,
  details: { expected: string; value: unknown },
): void {
  const path = pathOf(frame);
  const { expected, value } = details;
  frame.issues.push({ path, expected, received: describe(value), message: `${path} ${wording}` });
}

function formatKey(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

const maxShownCharacters = 60;

/** A value in a few words, short enough for an error message. */
function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    if (keys.length === 0) return "an empty object";
    return `an object with ${keys.slice(0, 5).join(", ")}${keys.length > 5 ? ", …" : ""}`;
  }
  if (typeof value === "string" && value.length > maxShownCharacters) {
    return `${JSON.stringify(value.slice(0, maxShownCharacters))}… (${value.length} characters)`;
  }
  return JSON.stringify(value);
}
