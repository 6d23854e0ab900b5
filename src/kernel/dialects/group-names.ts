/** Group → the names of its tools; tools without a group are left out. */
export function groupNames(
  tools: Iterable<{ readonly name: string; readonly group?: string | undefined }>,
): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, group } of tools) {
    if (group === undefined) continue;
    const names = groups.get(group);
    if (names === undefined) groups.set(group, [name]);
    else names.push(name);
  }
  return Object.fromEntries(groups);
}
