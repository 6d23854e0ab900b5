import { posix } from "node:path";
import { trimEndOf } from "../../../shared/text/trim-end-of.ts";
import type { Word } from "../../shell-syntax/index.ts";
import { escapePattern, expandGlob } from "../facts/expand-glob.ts";
import type { MachineFacts } from "../facts/machine-facts.ts";
import { knownText, literalWord } from "../known-words.ts";
import { hasOption, optionValues } from "../parse-arguments.ts";
import { type CheckContext, type ParsedArguments, type ProgramCheck, programsLike } from "../program.ts";
import { harmlessDevices, type Report } from "../report.ts";

const changer = programsLike({ category: "silent", operands: "writes" });

const checkCopy: ProgramCheck = async (parsed, report, context) => {
  const isRecursive = hasOption(parsed, "-r", "-R", "--recursive", "-a", "--archive");
  const follows = hasOption(parsed, "-L", "--dereference", "-H");
  const placed = await findPlaces(parsed, report, context);
  for (const { source, place } of placed) {
    report.read(source);
    if (isRecursive) await writeContent(source, place, { report, context, follows });
  }
};

export const checkMoving: ProgramCheck = async (parsed, report, context) => {
  const { target, sources } = readOperands(parsed);
  // A target that is unknown until it runs may become several words, and then all but the last are sources.
  const isKnown = target !== undefined && knownText(target) !== undefined;
  for (const source of isKnown || target === undefined ? sources : [...sources, target]) report.move(source);
  const placed = await findPlaces(parsed, report, context);
  // Options such as `--backup` and `--exchange` move the file at the target too.
  const mayDisplace = parsed.options.some(({ option }) => option === undefined);
  for (const { source, place } of placed) {
    if (mayDisplace && place !== undefined) report.move(literalWord(place));
    await writeContent(source, place, { report, context, follows: false });
  }
};

interface PlacedSource {
  readonly source: Word;
  /** Where it will be, as written; undefined if the names are unknown until it runs. */
  readonly place: string | undefined;
}

/** The last operand, or the value of `-t`, is the target; the others are sources. */
function readOperands(parsed: ParsedArguments) {
  const { operands } = parsed;
  const [named] = optionValues(parsed, "-t", "--target-directory");
  return named === undefined
    ? { target: operands.at(-1), sources: operands.slice(0, -1), isFolder: false }
    : { target: named, sources: operands, isFolder: true };
}

/** Where the sources go: the target is a new name, or a folder that they go into. */
async function findPlaces(
  parsed: ParsedArguments,
  report: Report,
  { directory, world }: CheckContext,
): Promise<readonly PlacedSource[]> {
  const isName = hasOption(parsed, "-T", "--no-target-directory");
  const { target, sources, isFolder: isGivenAsFolder } = readOperands(parsed);
  const text = target && knownText(target);
  if (target === undefined || text === undefined || sources.length === 0) {
    report.ask("the target it writes to is unknown until it runs");
    return [];
  }
  report.write(target);
  const path = posix.resolve(directory ?? "/", text);
  const isFolder =
    !isName && (isGivenAsFolder || text.endsWith("/") || mayBeFolder(await world.kindOf(path)));
  const folder = trimEndOf(text, "/") || text.slice(0, 1);
  return sources.map((source): PlacedSource => {
    if (!isFolder && sources.length === 1) return { source, place: text };
    const isFound = source.kind === "glob" && source.beneath !== undefined;
    const name = knownText(source) ?? (source.kind === "glob" && !isFound ? source.pattern : undefined);
    const last = name === undefined ? undefined : posix.basename(name);
    if (last === undefined || last === "..") {
      report.ask(`the names for ${source.source} are unknown until it runs`);
      return { source, place: undefined };
    }
    // The content of `folder/.` goes into the target itself.
    const place = last === "." || last === "" ? text : `${folder}/${last}`;
    report.write(literalWord(place));
    return { source, place };
  });
}

/** `other` may be a link to a folder. */
function mayBeFolder(kind: "file" | "directory" | "other" | undefined): boolean {
  return kind === "directory" || kind === "other";
}

/**
 * Reports the files that copying or moving a folder writes: they keep their names, which the command does not show.
 * Only names that count are reported: protected ones, and all that would be directly in a folder that exists already.
 */
async function writeContent(
  source: Word,
  place: string | undefined,
  { report, context, follows }: { report: Report; context: CheckContext; follows: boolean },
): Promise<void> {
  const { directory, world } = context;
  const paths = await pathsOf(source, directory);
  const ask = (why: string) => report.ask(`what is in ${source.source} ${why}`);
  if (paths === undefined || place === undefined) return ask("is unknown until it runs");
  for (const path of paths) {
    const kind = await world.kindOf(path);
    const isContent = /(?:^|\/)\.$/.test(path);
    if (kind === undefined && isContent) return ask("is unknown until it runs");
    if (kind === "other" && follows) return ask("is elsewhere");
    if (kind !== "directory") continue;
    const found = await world.listBelow(path, { most: maxContent });
    if (found === undefined) return ask("is too much to look at");
    if (follows && found.some((entry) => entry.kind === "other")) return ask("has links that lead elsewhere");
    const folder = source.kind === "glob" ? `${posix.dirname(place)}/${posix.basename(path)}` : place;
    const isThere = (await world.kindOf(posix.resolve(directory ?? "/", folder))) !== undefined;
    const told = new Set(found.flatMap((entry) => toldPath(entry.path, isThere, world)));
    if (told.size > maxTold) return ask("is too much to look at");
    for (const each of told) report.write(literalWord(`${folder}/${each}`));
  }
}

const maxContent = 10_000;
// Each of them is judged, and stands in the verdict.
const maxTold = 200;

/** The part of a path that has to be judged. */
function toldPath(path: string, isThere: boolean, { isProtectedName }: MachineFacts): readonly string[] {
  const names = path.split("/");
  const last = names.findIndex(isProtectedName);
  if (last !== -1) return [names.slice(0, last + 1).join("/")];
  return isThere && names.length === 1 ? [path] : [];
}

/** The files that a source names; undefined if they are unknown. */
async function pathsOf(source: Word, directory: string | undefined): Promise<readonly string[] | undefined> {
  const text = knownText(source) ?? (source.kind === "glob" ? source.pattern : undefined);
  if (text === undefined || (directory === undefined && !posix.isAbsolute(text))) return undefined;
  if (source.kind !== "glob") return [posix.isAbsolute(text) ? text : `${directory}/${text}`];
  return expandGlob(posix.isAbsolute(text) ? text : `${escapePattern(directory ?? "/")}/${text}`);
}

const checkMode: ProgramCheck = ({ operands }, report) => {
  const [mode, ...files] = operands;
  const text = mode && knownText(mode);
  // Excludes the setuid, setgid and sticky bits.
  if (text === undefined || !/^(?:0?[0-7]{3}|[ugoa]*[-+=][rwxX]*(?:,[ugoa]*[-+=][rwxX]*)*)$/.test(text)) {
    report.ask("chmod: the mode is not a plain one such as 644 or u+x");
  }
  for (const file of files) report.write(file);
};

const opaque =
  (what: string): ProgramCheck =>
  (_, report, { name, text }) => {
    report.runAnything(text, `${name} ${what}`);
  };

/** Programs that change files, most of them in predictable ways. */
export const changingPrograms = [
  changer("mkdir", { harmless: "-p|--parents -v|--verbose -m=|--mode=" }),
  changer("touch", {
    harmless: "-a -c|--no-create -d=|--date= -f -h|--no-dereference -m -t= --time=",
    reads: "-r=|--reference=",
  }),
  changer("rm", {
    harmless:
      "-f|--force -r|-R|--recursive -v|--verbose -d|--dir -I --preserve-root --one-file-system -i|--interactive?",
    operands: "removes",
  }),
  changer("rmdir", { harmless: "-v|--verbose --ignore-fail-on-non-empty -p|--parents", operands: "removes" }),
  changer("unlink", { operands: "removes" }),
  changer("cp", {
    harmless:
      "-a|--archive -f|--force -i|--interactive -n|--no-clobber -p -r|-R|--recursive -u|--update? -v|--verbose -x|--one-file-system -L|--dereference -P|--no-dereference -d -H -T|--no-target-directory --preserve? --no-preserve= -t=|--target-directory= --reflink? --sparse=",
    operands: "checked",
    check: checkCopy,
  }),
  changer("mv", {
    harmless:
      "-f|--force -i|--interactive -n|--no-clobber -u|--update? -v|--verbose -T|--no-target-directory -t=|--target-directory=",
    operands: "checked",
    check: checkMoving,
  }),
  changer("chmod", {
    harmless: "-v|--verbose -c|--changes -f|--silent|--quiet",
    operands: "checked",
    check: checkMode,
  }),
  changer("truncate", {
    category: "write",
    harmless: "-c|--no-create -s=|--size= -o|--io-blocks",
    reads: "-r=|--reference=",
  }),
  changer("tee", {
    category: "write",
    harmless: "-a|--append -i|--ignore-interrupts -p --output-error?",
    operands: "checked",
    check: ({ operands }, report) => {
      for (const word of operands) if (!harmlessDevices.has(knownText(word) ?? "")) report.write(word);
    },
  }),
  changer("chown chgrp", { operands: "checked", check: opaque("changes who owns files") }),
  changer("ln link", { operands: "checked", check: opaque("makes a file reachable under another name") }),
  changer("install rsync dd split csplit shred mkfifo mknod mktemp patch", {
    category: "write",
    operands: "checked",
    check: opaque("can write files in ways that are not analysed"),
  }),
];
