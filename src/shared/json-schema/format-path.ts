/**
 * The keys that lead to a value as one readable path, such as `$.edits[0]["old text"]`. A key that is not a name is
 * cut.
 */
export function formatPath(keys: readonly PropertyKey[]): string {
  return `$${keys.map(formatKey).join("")}`;
}

function formatKey(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const whole = String(key);
  const name =
    whole.length <= maxKeyCharacters ? whole : `${whole.slice(0, maxKeyCharacters).toWellFormed()}…`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

const maxKeyCharacters = 200;
