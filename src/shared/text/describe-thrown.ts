import { inspect } from "node:util";

/** What was thrown, in words. Code may throw anything, also what fails as soon as it is looked at; this never fails. */
export function describeThrown(thrown: unknown): string {
  return messageOf(thrown) ?? `${look(thrown)} was thrown`;
}

function messageOf(thrown: unknown): string | undefined {
  try {
    const message = typeof thrown === "string" ? thrown : (thrown as { message?: unknown } | null)?.message;
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    return undefined;
  }
}

function look(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return "an error without a message";
  } catch {
    return "something that cannot be looked at";
  }
  if (thrown === "") return "an empty text";
  return inspect(thrown, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false });
}
