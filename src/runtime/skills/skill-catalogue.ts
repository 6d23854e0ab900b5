import { stat } from "node:fs/promises";
import { join } from "node:path";
import { nearestNames } from "../../shared/nearest-names.ts";
import type { SkillSummary } from "../../tool/skills.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { fileStamp } from "../workspace/file-stamp.ts";
import { readingScope } from "../workspace/reading-scope.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { readSummary, type SummaryReading, skillFile } from "./read-summary.ts";

/** Where skills are looked for in a workspace; what is in the first counts. */
const skillFolders = [".skills", ".claude/skills"];

/** A skill that is there and cannot be used, and why. */
interface SkillProblem {
  /** From the workspace. */
  readonly path: string;
  readonly message: string;
}

/** The skills of a workspace. Whoever asks for them gets them as they are now; what has not changed is not read again. */
export interface SkillCatalogue {
  list(): Promise<readonly SkillSummary[]>;
  /** One by its name, which leads to no place but the folder it was found in. */
  find(name: string): Promise<SkillSummary & { readonly path: string }>;
  problems(): Promise<readonly SkillProblem[]>;
  /** As they were when it was last looked; another look may begin behind it. */
  known(): readonly SkillSummary[];
}

export function createSkillCatalogue(workspace: Workspace): SkillCatalogue {
  let found: Found = { skills: new Map(), problems: [] };
  let readings: ReadonlyMap<string, StampedReading> = new Map();
  let looking: Promise<Found> | undefined;
  let nextLook: Promise<Found> | undefined;
  let lastLookMs = Number.NEGATIVE_INFINITY;

  const lookNow = async (): Promise<Found> => {
    lastLookMs = performance.now();
    const places = await findPlaces(workspace);
    const next = new Map<string, StampedReading>();
    await inBatches(places.paths, async (path) => {
      next.set(path, await readAgain(path, { workspace, before: readings.get(path) }));
    });
    readings = next;
    found = collect(workspace, places, next);
    return found;
  };
  /** One look at a time. Who asks while one is under way waits for the next, which sees all that was there when they asked. */
  const look = (): Promise<Found> => {
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
    list: async () => [...(await look()).skills.values()].map(toSummary),
    async find(name) {
      const { skills, problems } = await look();
      const skill = skills.get(name);
      if (skill === undefined) throw unknownSkill(name, { skills, problems });
      return skill;
    },
    problems: async () => (await look()).problems,
    known() {
      // A list of tools is given at once and cannot wait; the next one knows what has changed.
      if (performance.now() - lastLookMs > minLookIntervalMs) look().catch(() => {});
      return [...found.skills.values()].map(toSummary);
    },
  };
}

const minLookIntervalMs = 1000;

interface Found {
  readonly skills: ReadonlyMap<string, SkillSummary & { readonly path: string }>;
  readonly problems: readonly SkillProblem[];
}

interface Places {
  /** From the workspace, of folders that may be skills, in the order in which they count. */
  readonly paths: readonly string[];
  readonly problems: readonly SkillProblem[];
}

const maxFolders = 10_000;

async function findPlaces(workspace: Workspace): Promise<Places> {
  const files = workspace.files(readingScope(new AbortController().signal));
  const paths: string[] = [];
  const problems: SkillProblem[] = [];
  for (const folder of skillFolders) {
    try {
      const { entries, truncated } = await files.list(folder, { maxEntries: maxFolders });
      for (const { name, type } of entries) {
        const isCandidate = (type === "directory" || type === "link") && !name.startsWith(".");
        if (isCandidate) paths.push(`${folder}/${name}`);
      }
      if (truncated)
        problems.push({ path: folder, message: `only the first ${maxFolders} entries are read` });
    } catch (error) {
      if (error instanceof ToolError && error.code === "not-found") continue;
      problems.push({ path: folder, message: (error as Error).message });
    }
  }
  return { paths, problems };
}

interface StampedReading {
  readonly stamp: string;
  readonly reading: SummaryReading;
}

/** Reads a skill's beginning again if its file is another than before, or has changed. */
async function readAgain(
  path: string,
  { workspace, before }: { workspace: Workspace; before: StampedReading | undefined },
): Promise<StampedReading> {
  // Only a stamp to compare with, of wherever it leads; it is read by a way that stays inside.
  const stats = await stat(join(workspace.root, skillFile(path)), { bigint: true }).catch(() => undefined);
  const stamp = stats === undefined ? "" : fileStamp(stats);
  if (before !== undefined && stamp !== "" && before.stamp === stamp) return before;
  try {
    return { stamp, reading: await readSummary(path, workspace) };
  } catch (error) {
    // It may be the moment's fault: without a stamp it is tried again, and the others are not held up.
    return { stamp: "", reading: { status: "unusable", path, message: (error as Error).message } };
  }
}

function collect(workspace: Workspace, places: Places, readings: ReadonlyMap<string, StampedReading>): Found {
  const skills = new Map<string, SkillSummary & { readonly path: string }>();
  const problems = [...places.problems];
  for (const path of places.paths) {
    const reading = readings.get(path)?.reading;
    if (reading?.status === "unusable") problems.push({ path: reading.path, message: reading.message });
    if (reading?.status !== "read") continue;
    const { name, description } = reading;
    const first = skills.get(name);
    if (first === undefined)
      skills.set(name, { name, description, path, folder: join(workspace.root, path) });
    else problems.push({ path, message: `${first.path} has the same name and counts` });
  }
  return { skills, problems };
}

function toSummary({ name, description, folder }: SkillSummary): SkillSummary {
  return { name, description, folder };
}

function unknownSkill(name: string, { skills, problems }: Found): ToolError {
  const problem = problems.find(({ path }) => skillFolders.some((folder) => isAt(path, `${folder}/${name}`)));
  if (problem !== undefined) {
    return new ToolError("not-found", `${problem.path} cannot be used: ${problem.message}`);
  }
  const nearest = nearestNames(name, skills.keys(), maxSuggestions);
  const hint =
    nearest.length > 0
      ? `Did you mean ${nearest.join(" or ")}?`
      : skills.size === 0
        ? `There are no skills; they are looked for in ${skillFolders.join(" and ")}.`
        : `There are ${[...skills.keys()].slice(0, maxSuggestions).join(", ")}${skills.size > maxSuggestions ? ", …" : ""}.`;
  return new ToolError("not-found", `there is no skill named ${JSON.stringify(name)}`, { hint });
}

const maxSuggestions = 10;

function isAt(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

// Enough to keep the thread pool busy.
const batchSize = 32;

async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    await Promise.all(items.slice(start, start + batchSize).map(work));
  }
}
