import { createRequire } from "node:module";
import { findInstall } from "./find-model.ts";
import { providers } from "./providers.ts";

/** A provider of models as far as it is set up. */
export interface ProviderSetup {
  readonly name: string;
  /** The variable that holds its key; undefined if none does. */
  readonly key: string | undefined;
  /** The variables that may hold it, the usual one first. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly isInstalled: boolean;
  /** The command that installs its package; undefined if it needs none. */
  readonly install: string | undefined;
}

export function listProviders(environment: Readonly<Record<string, string | undefined>>): ProviderSetup[] {
  const { resolve } = createRequire(import.meta.url);
  const isInstalled = (packageName: string) => {
    try {
      resolve(packageName);
      return true;
    } catch {
      return false;
    }
  };
  return [...providers].map(([name, { packageName, keyVariables, needsKey }]) => ({
    name,
    keyVariables,
    needsKey,
    key: keyVariables.find((variable) => environment[variable]?.trim()),
    isInstalled: packageName === undefined || isInstalled(packageName),
    install: packageName && findInstall(packageName).command.join(" "),
  }));
}
