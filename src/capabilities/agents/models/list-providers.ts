import { createRequire } from "node:module";
import type { Finding } from "../../../kernel/runtime/index.ts";
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

/** Checks which models `toolwright run` could use. Warns only of providers whose key the user has set. */
export function checkModels(environment: Readonly<Record<string, string | undefined>>): Finding[] {
  const withKey = listProviders(environment).filter(({ key }) => key !== undefined);
  if (withKey.length === 0)
    return [
      {
        check: "models",
        mark: "ok",
        found: "no key is set; for `toolwright run`, set ANTHROPIC_API_KEY or another",
      },
    ];
  return withKey.map(({ name, key, isInstalled, install }): Finding => {
    const check = `models of ${name}`;
    if (isInstalled) return { check, mark: "ok", found: `${key} is set, and the package is installed` };
    return {
      check,
      mark: "warn",
      found: `${key} is set, but the package is missing`,
      advice: `run: ${install}`,
    };
  });
}
