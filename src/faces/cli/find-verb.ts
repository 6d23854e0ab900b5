import { orMeant } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import type { Verb, Verbs } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Throws with the nearest command if there is none of that name. */
export function findVerb(name: string, verbs: Verbs): Verb {
  const verb = verbs.get(name);
  if (verb !== undefined) return verb;
  const rest = orMeant(nearestNames(name, verbs.keys()), "`toolwright --help` lists the commands");
  throw new UsageError(`unknown command ${JSON.stringify(name)}${rest}`);
}
