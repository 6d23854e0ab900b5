import type { Finding } from "../../../kernel/runtime/finding.ts";
import { listProviders } from "./list-providers.ts";

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
