import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileStamp } from "../../shared/files/file-stamp.ts";
import { didYouMean } from "../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../shared/text/nearest-names.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Finding } from "../runtime/index.ts";
import type {
  Definition,
  DefinitionKind,
  DefinitionPlace,
  DefinitionProblem,
  DefinitionSources,
} from "./definition-kind.ts";
import { type DefinitionReading, readPlace, unusable } from "./read-place.ts";

/** The definitions of one kind in a workspace, always up to date; unchanged files are not read again. */
export interface DefinitionList<Item> {
  list(): Promise<readonly Item[]>;
  /** Definitions that cannot be used, and why. */
  problems(): Promise<readonly DefinitionProblem[]>;
}

export interface Definitions<Item> extends DefinitionList<Item> {
  /** Looks the name up among those found; it is never used as a path. */
  find(name: string): Promise<Item>;
  /** The items found by the last scan, without waiting; may start another scan in the background. */
  known(): readonly Item[];
}

export function createDefinitions<Item extends Definition>(
  kind: DefinitionKind<Item>,
  sources: DefinitionSources,
): Definitions<Item> {
  let found: Found<Item> = { items: kind.given, problems: [] };
  let readings: ReadonlyMap<string, StampedReading<Item>> = new Map();
  let looking: Promise<Found<Item>> | undefined;
  let nextLook: Promise<Found<Item>> | undefined;
  let lastLookMs = Number.NEGATIVE_INFINITY;

  const lookNow = async (): Promise<Found<Item>> => {
    lastLookMs = performance.now();
    const { places, problems } = await findPlaces(kind, sources);
    const next = new Map<string, StampedReading<Item>>();
    let characters = 0;
    await inBatches(places, async (place) => {
      const isFull = characters > maxCharacters;
      const before = readings.get(place.path);
      const reading = isFull ? overLimit(place) : await readAgain(place, { ...sources, kind, before });
      next.set(place.path, reading);
      if (reading.reading.status === "read") characters += kind.weigh(reading.reading.item);
    });
    readings = next;
    const read = places.map((place) => ({ place, reading: next.get(place.path)!.reading }));
    found = collect(read, { given: kind.given, problems });
    return found;
  };
  /** One look at a time. A caller during a look waits for the next one, which is sure to see the current files. */
  const look = (): Promise<Found<Item>> => {
    if (looking === undefined) {
      looking = lookNow().finally(() => {
        looking = undefined;
      });
      return looking;
    }
    nextLook ??= looking
      .catch(() => {})
      .then(() => {
        nextLook = undefined;
        return look();
      });
    return nextLook;
  };

  return {
    list: async () => [...(await look()).items.values()],
    async find(name) {
      const seen = await look();
      const item = seen.items.get(name);
      if (item === undefined) throw unknownDefinition(name, seen, kind);
      return item;
    },
    problems: async () => (await look()).problems.map(({ path, message }) => ({ path, message })),
    known() {
      // The list of tools is synchronous and cannot wait; the next one includes the changes.
      if (performance.now() - lastLookMs > minLookIntervalMs) look().catch(() => {});
      return [...found.items.values()];
    },
  };
}

const minLookIntervalMs = 1000;

// Limit for all items of a kind; a workspace may be too large for memory.
const maxCharacters = 2 ** 24;

interface StampedReading<Item> {
  readonly stamp: string;
  readonly reading: DefinitionReading<Item>;
}

function overLimit({ file }: DefinitionPlace): StampedReading<never> {
  const reading = unusable(file, "the files before it already fill the size limit; remove some");
  return { stamp: "", reading };
}

/** Reads a file again if it was replaced or changed. */
async function readAgain<Item extends Definition>(
  place: DefinitionPlace,
  source: DefinitionSources & { kind: DefinitionKind<Item>; before: StampedReading<Item> | undefined },
): Promise<StampedReading<Item>> {
  const { workspace, before } = source;
  // This follows links, but only to compare stamps; the content is read with containment.
  const stats = await stat(join(workspace.root, place.file), { bigint: true }).catch(() => undefined);
  const stamp = stats === undefined ? "" : fileStamp(stats);
  if (before !== undefined && stamp !== "" && before.stamp === stamp) return before;
  try {
    return { stamp, reading: await readPlace(place, source) };
  } catch (error) {
    // The error may be temporary: without a stamp, the file is tried again next time. The others are not affected.
    return { stamp: "", reading: unusable(place.path, (error as Error).message) };
  }
}

// Enough to keep the thread pool busy.
const batchSize = 32;

async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    await Promise.all(items.slice(start, start + batchSize).map(work));
  }
}

const maxEntries = 10_000;

/** Finds the places in order of precedence, and problems with the folders themselves. */
async function findPlaces<Item extends Definition>(
  { folders, entryOf }: DefinitionKind<Item>,
  { workspace, openReading }: DefinitionSources,
) {
  const places: DefinitionPlace[] = [];
  const problems: DefinitionProblem[] = [];
  for (const folder of folders) {
    try {
      // Usually the folder does not exist; checking first avoids searching for similar names.
      const { kind, inside } = await workspace.resolve(folder);
      if (kind === "missing" && inside) continue;
      const { entries, truncated } = await openReading(workspace).list(folder, { maxEntries });
      for (const entry of entries) {
        const found = entry.name.startsWith(".") ? undefined : entryOf(entry);
        if (found === undefined) continue;
        const { name, file } = found;
        places.push({ name, path: `${folder}/${entry.name}`, file: `${folder}/${file}` });
      }
      const message = `only the first ${maxEntries} entries are read; remove some`;
      if (truncated) problems.push({ path: folder, message });
    } catch (error) {
      if (error instanceof ToolError && error.code === "not-found") continue;
      problems.push({ path: folder, message: (error as Error).message });
    }
  }
  return { places, problems };
}

const maxSuggestions = 10;

/** Explains why the definition with that name cannot be used, or suggests other names. */
function unknownDefinition<Item extends Definition>(
  name: string,
  { items, problems }: Found<Item>,
  { noun, folders }: DefinitionKind<Item>,
): ToolError {
  const problem = problems.find((each) => each.name === name);
  if (problem !== undefined)
    return new ToolError("not-found", `${problem.path} cannot be used: ${problem.message}`);
  const known = [...items.keys()];
  const nearest = nearestNames(name, known, maxSuggestions);
  const more = known.length > maxSuggestions ? ", …" : "";
  const otherwise =
    known.length === 0
      ? `No ${noun.many} were found in ${folders.join(" or ")}.`
      : `Known ${noun.many}: ${known.slice(0, maxSuggestions).join(", ")}${more}.`;
  return new ToolError("not-found", `there is no ${noun.one} named ${JSON.stringify(name)}`, {
    hint: didYouMean(nearest, otherwise),
  });
}

interface Found<Item> {
  /** By their names. */
  readonly items: ReadonlyMap<string, Item>;
  /** The name is the one that it would have if it were usable. */
  readonly problems: readonly (DefinitionProblem & { readonly name?: string })[];
}

/** Of several items with the same name the first counts; given ones come before those read from files. */
function collect<Item extends Definition>(
  read: readonly { place: DefinitionPlace; reading: DefinitionReading<Item> }[],
  already: { given: ReadonlyMap<string, Item>; problems: readonly DefinitionProblem[] },
): Found<Item> {
  const items = new Map(already.given);
  const problems: (DefinitionProblem & { readonly name?: string })[] = [...already.problems];
  const origins = new Map<string, string>();
  for (const { place, reading } of read) {
    if (reading.status === "unusable") {
      problems.push({ path: reading.path, message: reading.message, name: place.name });
    } else if (items.has(reading.item.name)) {
      const first = origins.get(reading.item.name) ?? "one given in code";
      const message = `ignored: ${first} has the same name and takes precedence`;
      problems.push({ path: place.path, message, name: place.name });
    } else {
      items.set(reading.item.name, reading.item);
      origins.set(reading.item.name, place.path);
    }
  }
  return { items, problems };
}

/** Reports definitions that cannot be used, such as skills; otherwise they would be missing silently. */
export async function checkDefinitions(
  check: string,
  { list, problems: findProblems }: DefinitionList<unknown>,
): Promise<Finding[]> {
  const [usable, problems] = await Promise.all([list(), findProblems()]);
  const warn = (problem: string): Finding => ({ check, mark: "warn", found: problem });
  const findings = problems.slice(0, maxToldProblems).map(({ path, message }) => warn(`${path}: ${message}`));
  const left = problems.length - findings.length;
  if (left > 0) findings.push(warn(`${left} more cannot be used`));
  return findings.length > 0 ? findings : [{ check, mark: "ok", found: `${usable.length}, no problems` }];
}

const maxToldProblems = 20;
