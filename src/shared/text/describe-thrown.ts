/**
 * Describes a thrown value in words. Code may throw any value, also one that throws when it is read; this never fails.
 */
export function describeThrown(thrown: unknown): string {
  try {
    return messageOf(thrown) ?? `${look(thrown)} was thrown`;
  } catch {
    return "a value was thrown that cannot be read";
  }
}

function messageOf(thrown: unknown): string | undefined {
  const message = typeof thrown === "string" ? thrown : (thrown as { message?: unknown } | null)?.message;
  return typeof message === "string" && message !== "" ? message : undefined;
}

function look(thrown: unknown): string {
  if (thrown === "") return "an empty text";
  if (thrown instanceof Error) return "an error without a message";
  if (typeof thrown === "function") return "a function";
  return typeof thrown === "object" && thrown !== null ? JSON.stringify(thrown) : String(thrown);
}
