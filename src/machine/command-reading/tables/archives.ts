import type { Word } from "../../shell-syntax/index.ts";
import { knownText } from "../known-words.ts";
import { hasOption } from "../parse-arguments.ts";
import { type ProgramCheck, programsLike } from "../program.ts";
import type { Report } from "../report.ts";

const checkTar: ProgramCheck = (parsed, report) => {
  if (!hasOption(parsed, "-t", "--list")) return report.ask("tar without -t writes files or an archive");
  const archives = parsed.options.filter(({ name }) => name === "-f" || name === "--file");
  for (const { values } of archives) readArchive(values[0], report);
};

/** `host:file` is on another machine. */
function readArchive(word: Word | undefined, report: Report): void {
  const text = word && knownText(word);
  if (text === undefined) report.ask("the archive it reads is unknown until it runs");
  else if (text.includes(":")) {
    report.connect(text.slice(0, text.indexOf(":")));
    report.ask(`tar reads ${text} from another machine`);
  } else if (text !== "-") report.read(text);
}

const needsOption =
  (...names: string[]): ProgramCheck =>
  (parsed, report, { name }) => {
    if (!hasOption(parsed, ...names)) report.ask(`${name} without ${names[0]} changes files`);
  };

/** Words after the archive are names in it, even if they start with a dash. */
const checkUnzip: ProgramCheck = (parsed, report, context) => {
  needsOption("-l", "-v", "-t", "-Z", "-Z1", "-z", "-p", "-c")(parsed, report, context);
  const [archive] = parsed.operands;
  if (archive !== undefined) readCompleted(archive, report, [".zip", ".ZIP"]);
};

/** Where there is no such file, the program looks for one with an ending; unzip also takes the name for a pattern. */
function readCompleted(archive: Word, report: Report, endings: readonly string[]): void {
  const text = knownText(archive);
  if (text === undefined) report.read(archive);
  else for (const ending of ["", ...endings]) report.read(`${text}${ending}`);
}

const gzipEndings = [".gz", ".z", "-gz", "-z", "_z", ".Z"];

const checkCompressed: ProgramCheck = (parsed, report, context) => {
  needsOption("-l", "--list", "-t", "--test")(parsed, report, context);
  for (const archive of parsed.operands)
    if (knownText(archive) !== "-") readCompleted(archive, report, gzipEndings);
};

const archiver = programsLike({ category: "list", operands: "checked" });

/** Programs that look into archives without unpacking them. */
export const archivePrograms = [
  archiver("tar gtar bsdtar", {
    harmless:
      "-t --list -v --verbose -f= --file= --wildcards --no-wildcards --exclude= --full-time --totals -z --gzip -j --bzip2 -J --xz --zstd -a --auto-compress --numeric-owner --utc --show-transformed-names --strip-components= --force-local --help --version",
    asks: {
      "runs a program":
        "-I= --use-compress-program= --to-command= --checkpoint-action= --rsh-command= --info-script= -F= --new-volume-script=",
    },
    hasLettersFirst: true,
    check: checkTar,
  }),
  archiver("unzip", {
    harmless: "-l -v -t -q -qq -Z -Z1 -1 -z -p -c",
    hasNoEndMark: true,
    stopsAtOperand: true,
    check: checkUnzip,
  }),
  archiver("zipinfo", {
    harmless: "-1 -2 -s -m -l -v -h -t -T -z",
    hasNoEndMark: true,
    stopsAtOperand: true,
    check: ({ operands }, report) => {
      for (const archive of operands) readCompleted(archive, report, [".zip", ".ZIP"]);
    },
  }),
  archiver("gzip gunzip xz zstd bzip2", {
    harmless: "-l --list -t --test -v --verbose -q --quiet",
    check: checkCompressed,
  }),
  archiver("zcat gzcat", {
    category: "read",
    harmless: "-f -q -v",
    check: ({ operands }, report) => {
      for (const archive of operands)
        if (knownText(archive) !== "-") readCompleted(archive, report, gzipEndings);
    },
  }),
];
