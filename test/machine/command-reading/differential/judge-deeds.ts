import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Verdict } from "../../../../src/kernel/policy/verdict.ts";
import { relativeInside } from "../../../../src/shared/relative-inside.ts";
import { canaries, secretFiles } from "./plant-world.ts";
import type { Deed } from "./read-trace.ts";
import type { TracedRun } from "./run-traced.ts";

export interface JudgingGround {
  /** Everything planted; what lies elsewhere is the system's. */
  readonly base: string;
  readonly work: string;
  readonly home: string;
  /** What the programs among these words do on nothing, as `keyOf` writes it. */
  usualFor(words: string): Promise<ReadonlySet<string>>;
  /** Whether commands can write in the base. */
  readonly isWritable: boolean;
  /** Whether a file tool may write here unasked. */
  mayWrite(path: string): Promise<boolean>;
}

/** What an allowed command did beyond its verdict, one sentence each. */
export async function findSurprises(
  { command, verdict }: { readonly command: string; readonly verdict: Verdict },
  { deeds, output }: TracedRun,
  ground: JudgingGround,
): Promise<string[]> {
  const named = {
    reads: await withTargets([...verdict.effects.reads, ...verdict.effects.writes], ground.work),
    writes: await withTargets(verdict.effects.writes, ground.work),
    programs: programsIn(command, verdict),
  };
  const temporary = new Set(
    deeds.flatMap((deed) => [...temporaryName(deed, named.writes), ...ownTemporaryFile(deed)]),
  );
  const surprising: Deed[] = [];
  for (const deed of deeds) {
    if (temporary.has(deed.path)) continue;
    if (await isSurprising(deed, named, ground)) surprising.push(deed);
  }
  const usual = surprising.length > 0 ? await ground.usualFor([...named.programs].join(" ")) : new Set();
  const unusual = surprising.filter((deed) => deed.kind === "writes" || !usual.has(keyOf(deed, ground.base)));
  const printed = Object.entries(canaries).filter(([, canary]) => output.includes(canary));
  return [
    ...new Set(unusual.map(({ kind, path }) => `${kind} ${path}`)),
    ...printed.map(([what]) => `prints ${what}`),
  ];
}

/** What became a file that the verdict names; until then it had another name beside it. */
function temporaryName({ path, movedFrom }: Deed, writes: readonly string[]): string[] {
  const isBeside = movedFrom !== undefined && dirname(movedFrom) === dirname(path) && writes.includes(path);
  return isBeside ? [movedFrom] : [];
}

/** Such as of busybox's `diff`, which keeps what it gets from a pipe. */
function ownTemporaryFile({ path, isNew = false }: Deed): string[] {
  return isNew && /^\/tmp\/[a-z]*[A-Za-z0-9]{6}$/.test(path) ? [path] : [];
}

/** The same for the same deed in every planted world, and for a program in either of the folders that are one. */
export function keyOf({ kind, path }: Deed, base: string): string {
  return `${kind} ${path
    .replace(base, "§")
    .replace(/^\/proc\/\d+/, "/proc/1")
    .replace(/^\/bin\//, "/usr/bin/")}`;
}

interface Named {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly programs: ReadonlySet<string>;
}

function isSurprising(deed: Deed, named: Named, ground: JudgingGround): Promise<boolean> | boolean {
  switch (deed.kind) {
    case "connects":
      // Where the system's names of people and groups are looked up first.
      return !deed.path.includes('"/var/run/nscd/socket"');
    case "runs":
      return (
        relativeInside(ground.base, deed.path) !== undefined ||
        !(named.programs.has(basename(deed.path)) || isUnpacker(deed.path, named.programs))
      );
    case "reads":
      return isUnnamedRead(deed, named, ground);
    case "writes":
      return isUnnamedWrite(deed, named, ground);
  }
}

/** What tar reads is unpacked by the system's own programs. */
function isUnpacker(path: string, programs: ReadonlySet<string>): boolean {
  return programs.has("tar") && /\/(?:gzip|bzip2|xz|zstd|lzma|lzip|lzop|compress)$/.test(path);
}

async function isUnnamedRead(
  { path, isFolder, hasFailed }: Deed,
  { reads }: Named,
  { base, work, home }: JudgingGround,
): Promise<boolean> {
  // What the system's own files say is not a secret, except of a process.
  if (relativeInside(base, path) === undefined)
    return /^\/proc\/(?:self|\d+)\/environ$/.test(path) && !reads.includes(path);
  const real = hasFailed ? await realPathOf(path) : path;
  // That its folder is named does not show that a secret in it would be read.
  if (secretFiles.some((file) => join(work, file) === real)) return !hasFailed && !reads.includes(real);
  if (reads.some((read) => relativeInside(read, real) !== undefined)) return false;
  // What is tried but not there is a setting in the home folder, or a name that came from the command.
  if (relativeInside(work, real) === undefined)
    return !(hasFailed && relativeInside(home, real) !== undefined);
  // To find a name, a shell lists the folders above it.
  const isOnTheWay = reads.some((read) => relativeInside(real, read) !== undefined);
  return !hasFailed && real !== work && !(isFolder && isOnTheWay);
}

async function isUnnamedWrite(
  { path, movedFrom, hasFailed, isNew = false }: Deed,
  { writes }: Named,
  { mayWrite, base, isWritable }: JudgingGround,
): Promise<boolean> {
  if (isOutput(path)) return false;
  // Where nothing can be written, the attempt counts.
  if (hasFailed && isWritable && relativeInside(base, path) !== undefined) return false;
  const real = await realPathOf(path);
  if (!writes.some((write) => relativeInside(write, real) !== undefined))
    // Of a new folder, those above it that are missing are made too.
    return !(isNew && writes.some((write) => relativeInside(real, write) !== undefined));
  // A folder that is moved brings everything in it.
  const inside = movedFrom === undefined ? [] : await namesIn(movedFrom);
  const made = [real, ...inside.map((name) => join(real, name))];
  return !(await Promise.all(made.map(mayWrite))).every((may) => may);
}

/** Where its output goes, devices that keep nothing, and what Java's machine notes about itself. */
function isOutput(path: string): boolean {
  return /^\/dev\/(?:null|zero|tty|console|std(?:in|out|err)|fd\/\d+|pts\/\d+)$|^\/proc\/(?:self|\d+)\/fd\/\d+$|^pipe:|^\/proc\/\d+\/coredump_filter$|^\/tmp\/hsperfdata_\w+(?:\/\d+)?$|\/toolwright-trace-[^/]+\/\d+\/\d+$/.test(
    path,
  );
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch(() => []);
}

/** Paths as they are named, and where they lead. */
async function withTargets(paths: readonly string[], work: string): Promise<string[]> {
  const absolute = paths.map((path) => resolve(work, path));
  return [...new Set([...absolute, ...(await Promise.all(absolute.map(realPathOf)))])];
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const folder = dirname(path);
    return folder === path ? path : join(await realPathOf(folder), basename(path));
  });
}

/** Those that the verdict found in the command, and words of it: `find -exec wc` and `xargs wc` name one as an argument. */
function programsIn(command: string, { commands = [] }: Verdict): Set<string> {
  const found = commands.flatMap(({ parsed }) => [parsed?.name ?? "", ...(parsed?.wrappers ?? [])]);
  const written = [...command.split(/[^\w.+-]+/), ...command.split(/\s+/)].filter(
    // Both are also what the planted commands run.
    (word) => !/^(?:touch|run\.sh)$/.test(word),
  );
  const fed = /(?:-exec|xargs)(?: -\S+)* touch /.test(command) ? ["touch"] : [];
  return new Set([...found.map((name) => basename(name)), ...written, ...fed]);
}
