import type { Definition, DefinitionPlace, DefinitionProblem } from "./definition-kind.ts";
import type { DefinitionReading } from "./read-place.ts";

export interface Found<Item> {
  /** By their names. */
  readonly items: ReadonlyMap<string, Item>;
  readonly problems: readonly NamedProblem[];
}

interface NamedProblem extends DefinitionProblem {
  /** The name it would have if it were usable. */
  readonly name?: string;
}

interface PlaceReading<Item> {
  readonly place: DefinitionPlace;
  readonly reading: DefinitionReading<Item>;
}

/** Of several items with the same name the first counts; given ones come before those read from files. */
export function collect<Item extends Definition>(
  read: readonly PlaceReading<Item>[],
  already: { given: ReadonlyMap<string, Item>; problems: readonly DefinitionProblem[] },
): Found<Item> {
  const items = new Map(already.given);
  const problems: NamedProblem[] = [...already.problems];
  const origins = new Map<string, string>();
  for (const { place, reading } of read) {
    if (reading.status === "unusable") {
      problems.push({ path: reading.path, message: reading.message, name: place.name });
      continue;
    }
    const { name } = reading.item;
    if (items.has(name)) {
      const first = origins.get(name) ?? "one given in code";
      problems.push({
        path: place.path,
        message: `ignored: ${first} has the same name and takes precedence`,
        name: place.name,
      });
    } else {
      items.set(name, reading.item);
      origins.set(name, place.path);
    }
  }
  return { items, problems };
}
