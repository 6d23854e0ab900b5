import { registerHooks } from "node:module";

let isOffered = false;

/** Marks the address of a file that is loaded as an ES module although the package.json above it says CommonJS. */
export const asModule = { name: "as", value: "module" } as const;

/**
 * Lets files of tools and plugins import `toolwright` where it is not installed beside them, as with a global install.
 * Where it is, that one is used. Files that are asked for as modules are loaded as modules.
 */
export function offerOwnPackage(): void {
  if (isOffered) return;
  isOffered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier.startsWith("file:") && specifier.endsWith(`&${asModule.name}=${asModule.value}`)) {
        const format = /\.ts\?/.test(specifier) ? "module-typescript" : "module";
        return { url: specifier, format, shortCircuit: true };
      }
      if (!/^toolwright(?:\/|$)/.test(specifier)) return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        const own = resolveOwn(specifier);
        if (own === undefined) throw error;
        return { url: own, shortCircuit: true };
      }
    },
  });
}

/** Undefined if this code was bundled into another program and is no longer part of the package. */
function resolveOwn(specifier: string): string | undefined {
  try {
    return import.meta.resolve(specifier);
  } catch {
    return undefined;
  }
}
