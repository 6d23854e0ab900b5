import { basename } from "node:path";
import { isKnownProgram } from "../../../../src/machine/command-reading/tables/index.ts";
import { type JudgingGround, keyOf } from "./judge-deeds.ts";
import { surroundingsOf } from "./open-ground.ts";
import { plantWorld } from "./plant-world.ts";
import { runTraced } from "./run-traced.ts";

/**
 * What programs do where there is nothing to act on: they load libraries, look for their settings and start their helpers.
 * Looked at once for each program, when one of its deeds needs an explanation.
 */
export function learnUsualDeeds(): JudgingGround["usualFor"] {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return async (words) => {
    const names = [...new Set(words.split(/[^\w.+[-]+/))].filter(isKnownProgram);
    for (const name of names) if (!known.has(name)) known.set(name, usualDeedsOf(name));
    const deeds = await Promise.all(names.map((name) => known.get(name)!));
    return new Set(deeds.flatMap((each) => [...each]));
  };
}

async function usualDeedsOf(name: string): Promise<Set<string>> {
  const world = await plantWorld("nothing");
  try {
    const runs = await runTraced(
      [
        name,
        `${name} --help`,
        `${name} --version`,
        `${name} /dev/null /dev/null`,
        `${name} /dev/null /dev/null /dev/null`,
      ],
      await surroundingsOf(world),
    );
    // That it is started itself has to be said by the command.
    const others = runs.flatMap(({ deeds }) =>
      deeds.filter(({ kind, path }) => kind !== "runs" || basename(path) !== name),
    );
    return new Set(others.map((deed) => keyOf(deed, world.base)));
  } finally {
    await world.remove();
  }
}
