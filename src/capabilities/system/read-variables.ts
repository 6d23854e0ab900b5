import { createSecretTest } from "../../machine/child/child-environment.ts";
import type { SystemVariables } from "../../tool/services/system.ts";

/** Sorts names into what may be shown and what may not, and never shows a value that looks like a secret. */
export function readVariables(
  names: readonly string[] | undefined,
  { environment, added }: { environment: NodeJS.ProcessEnv; added: readonly string[] },
): SystemVariables {
  const listed = new Set([...openNames, ...added]);
  const isSecret = createSecretTest(environment);
  const currentOf = (name: string) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
  const asked = [...new Set(names ?? [...listed].filter((name) => currentOf(name) !== undefined))];
  const values: [string, string][] = [];
  const others = { unset: [] as string[], withheld: [] as string[], notListed: [] as string[] };
  for (const name of asked) {
    const value = currentOf(name);
    // The answer must not even tell whether a variable that is not listed is set.
    if (!listed.has(name)) others.notListed.push(name);
    else if (value === undefined) others.unset.push(name);
    else if (isSecret(name, value)) others.withheld.push(name);
    else values.push([name, value]);
  }
  return { values: Object.fromEntries(values), ...others };
}

/** They say how programs run here, and nothing about who runs them. */
const openNames = ["PATH", "SHELL", "LANG", "LC_ALL", "TZ", "TERM", "TMPDIR", "CI"];
