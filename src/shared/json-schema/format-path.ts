/** The keys that lead to a value as one readable path, such as `$.edits[0]["old text"]`. */
export function formatPath(keys: readonly PropertyKey[]): string {
  return `$${keys.map(formatKey).join("")}`;
}

function formatKey(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
