import { registerHooks } from "node:module";

let isOffered = false;

/**
 * Lets files of tools and plugins import `toolwright` where it is not installed beside them, as with a global install.
 * Where it is, that one is used.
 */
export function offerOwnPackage(): void {
  if (isOffered) return;
  isOffered = true;
  registerHooks({
    resolve(specifier, context, nextResolve) {
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

/** Undefined where this code is no part of the package any more, because somebody has bundled it. */
function resolveOwn(specifier: string): string | undefined {
  try {
    return import.meta.resolve(specifier);
  } catch {
    return undefined;
  }
}
