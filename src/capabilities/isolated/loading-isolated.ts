// On the global object, because the module that is loaded may use another copy of the package.
const key = Symbol.for("toolwright.loading-isolated");
const global = globalThis as { [key]?: number };

/** Loads a module for an isolated tool. A module that opens a runtime when it is loaded would start itself again and again. */
export async function loadForIsolated<Module>(load: () => Promise<Module>): Promise<Module> {
  global[key] = (global[key] ?? 0) + 1;
  try {
    return await load();
  } finally {
    global[key]! -= 1;
  }
}

export function isLoadingIsolated(): boolean {
  return (global[key] ?? 0) > 0;
}
