import { registerHooks } from "node:module";
import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";

/** Imports the code of a tool or a plugin, which may import `toolwright`. */
export function importCode<Module>(address: string): Promise<Module> {
  offerOwnPackage();
  return withinLoadTime(() => import(address) as Promise<Module>);
}

/** Waits for the code of a tool or a plugin to load, start or stop, but not for ever: the others do not depend on it. */
export async function withinLoadTime<Result>(work: () => MaybePromise<Result>): Promise<Result> {
  const deadline = new Deadline();
  // Also keeps a process alive in which nothing else happens; Node would end it, and say nothing of the code.
  deadline.start(maxLoadMs);
  try {
    return await deadline.race(Promise.resolve(work()));
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error;
    throw new Error(
      `it did not end within ${maxLoadMs / 1000} s; does it wait for something that never comes?`,
    );
  } finally {
    deadline.close();
  }
}

// Enough for code that connects somewhere or is compiled first.
export const maxLoadMs = 30_000;

let isOffered = false;

/** Marks the address of a file that is loaded as an ES module although the package.json above it says CommonJS. */
export const asModule = { name: "as", value: "module" } as const;

/**
 * Lets files of tools and plugins import `toolwright` where it is not installed beside them, as with a global install.
 * Where it is, that one is used. Files that are asked for as modules are loaded as modules.
 */
function offerOwnPackage(): void {
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
