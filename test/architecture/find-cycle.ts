/** The files of one import cycle, in order, or nothing where every way ends. */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  const walk = (path: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (finished.has(path)) return undefined;
    for (const target of imports.get(path) ?? []) {
      const cycle = walk(target, [...way, path]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(path);
    return undefined;
  };
  for (const path of imports.keys()) {
    const cycle = walk(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
