import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fuzzSeed } from "../../../support/fuzz.ts";
import { createRandom } from "../fuzz/random.ts";
import { type CampaignResult, runCampaign } from "./campaign.ts";
import { type CampaignPart, campaignParts } from "./campaign-parts.ts";
import { deferBash } from "./defer-bash.ts";
import type { ArgumentPools } from "./generate-lines.ts";
import { listPrograms, type TriedProgram } from "./list-programs.ts";
import { lookAtFilesAtOnce } from "./look-at-files-at-once.ts";
import { type Ground, openGround, surroundingsOf } from "./open-ground.ts";
import { plantOddNames, plantWorld } from "./plant-world.ts";
import { learnUsualDeeds } from "./usual-deeds.ts";

/**
 * `node long-run.ts FOLDER` tries commands piece by piece until there are enough, and writes what it found into the
 * folder. Ended and started again, it goes on where it was. It is a program of its own because nothing is faster.
 */
export interface Piece extends CampaignResult {
  readonly part: string;
  readonly seed: number;
  readonly seconds: number;
}

const linesInPiece = 4_000;
const programsInPiece = 24;
const maxFailed = 20;

async function runPieces(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const programs = await remembered(join(folder, "programs.json"), listAllPrograms);
  const usualFor = learnUsualDeeds();
  const pieces = await readPieces(folder);
  const seen = await openCases(join(folder, "cases"));
  const grounds = new Map<CampaignPart, Ground>();
  let [isEnding, failed] = [false, 0];
  process.on("SIGTERM", () => {
    isEnding = true;
  });
  while (!isEnding) {
    const part = nextPart(pieces);
    if (part === undefined) break;
    const ground = grounds.get(part) ?? (await openGround(await plantWorld(part.kind), part.mode, usualFor));
    grounds.set(part, ground);
    const seed = fuzzSeed + pieces.length + failed;
    try {
      const piece = await runPiece({ folder, part, ground, programs, seen, seed });
      pieces.push(piece);
      await appendFile(join(folder, "pieces.jsonl"), `${JSON.stringify(piece)}\n`);
    } catch (error) {
      // Such as a tracer that could not start on a busy machine; what it was about to judge is not counted.
      failed += 1;
      if (failed > maxFailed) throw error;
      console.error(error);
      continue;
    }
    console.info(describePieces(pieces));
  }
  for (const { world, close } of grounds.values()) {
    await close();
    await world.remove();
  }
}

/** The one that is furthest from what it is to reach. */
function nextPart(pieces: readonly Piece[]): CampaignPart | undefined {
  const left = campaignParts.map((part) => {
    const own = pieces.filter((piece) => piece.part === part.title);
    const judged = own.reduce((sum, piece) => sum + piece.judged, 0);
    return { part, share: judged / part.verdicts.full };
  });
  const [first] = left.filter(({ share }) => share < 1).toSorted((a, b) => a.share - b.share);
  return first?.part;
}

interface PieceOptions {
  readonly folder: string;
  readonly part: CampaignPart;
  readonly ground: Ground;
  readonly programs: readonly TriedProgram[];
  readonly seen: SeenCases;
  readonly seed: number;
}

async function runPiece({ folder, part, ground, programs, seen, seed }: PieceOptions): Promise<Piece> {
  const begun = performance.now();
  const { work, base } = ground.world;
  const random = createRandom(seed);
  const tried = programs.filter(({ call }) => part.isTried(call));
  const some = Array.from({ length: programsInPiece }, () => random.pick(tried));
  const poolsFile = join(folder, `pools-${part.mode}-${part.kind}.json`);
  const pools: ArgumentPools = new Map(
    await remembered(poolsFile, async (): Promise<[string, string[][]][]> => []),
  );
  if (part.mode !== "edit") {
    // Only for the programs of the piece, because every verdict looks through all folders.
    await rm(join(work, "odd"), { recursive: true, force: true });
    await plantOddNames(work, some);
  }
  const verdicts = Math.min(linesInPiece, part.verdicts.full);
  const result = await runCampaign({
    ground,
    programs: [...new Set(some)],
    seed,
    verdicts,
    runs: Math.ceil((verdicts * part.runs.full) / part.verdicts.full),
    pools,
    isNew: (line) => seen.add(`${part.mode} ${part.kind} ${line.replaceAll(base, "$BASE")}`),
    ...(part.isWanted && { isWanted: part.isWanted }),
  });
  await writeFile(poolsFile, JSON.stringify([...pools]));
  await seen.save();
  return { part: part.title, seed, ...result, seconds: Math.round((performance.now() - begun) / 1000) };
}

async function listAllPrograms(): Promise<TriedProgram[]> {
  const nothing = await plantWorld("nothing");
  try {
    return await listPrograms(await surroundingsOf(nothing));
  } finally {
    await nothing.remove();
  }
}

async function remembered<Value>(path: string, make: () => Promise<Value>): Promise<Value> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text !== undefined) return JSON.parse(text);
  const made = await make();
  await writeFile(path, JSON.stringify(made));
  return made;
}

export async function readPieces(folder: string): Promise<Piece[]> {
  const text = await readFile(join(folder, "pieces.jsonl"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line): Piece => JSON.parse(line));
}

interface SeenCases {
  /** False if it was there. */
  add(text: string): boolean;
  save(): Promise<void>;
}

/** As numbers of 48 bits: of a million, hardly two that differ are taken for the same. */
async function openCases(path: string): Promise<SeenCases> {
  const kept = await readFile(path).catch(() => Buffer.alloc(0));
  const seen = new Set<number>();
  for (let at = 0; at + caseBytes <= kept.length; at += caseBytes) seen.add(kept.readUIntBE(at, caseBytes));
  let added: Buffer[] = [];
  return {
    add(text) {
      const digest = createHash("sha1").update(text).digest().subarray(0, caseBytes);
      const number = digest.readUIntBE(0, caseBytes);
      if (seen.has(number)) return false;
      seen.add(number);
      added.push(digest);
      return true;
    },
    async save() {
      await appendFile(path, Buffer.concat(added));
      added = [];
    },
  };
}

const caseBytes = 6;

function describePieces(pieces: readonly Piece[]): string {
  const sum = (count: (piece: Piece) => number) => pieces.reduce((total, piece) => total + count(piece), 0);
  const last = pieces.at(-1)!;
  return [
    `${pieces.length} pieces, ${sum(({ seconds }) => seconds)} s: ${sum(({ judged }) => judged)} lines judged,`,
    `${sum(({ allowed }) => allowed)} allowed, ${sum(({ ran }) => ran)} of them run,`,
    `${sum(({ failures }) => failures.length)} failures`,
    ...last.failures.map(({ command, surprises }) => `\n  ${command}: ${surprises.join(", ")}`),
  ].join(" ");
}

const [, program, folder] = process.argv;
if (program === import.meta.filename && folder !== undefined) {
  deferBash();
  lookAtFilesAtOnce();
  await runPieces(folder);
}
