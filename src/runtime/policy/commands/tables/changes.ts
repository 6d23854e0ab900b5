import { posix } from "node:path";
import type { Word } from "../../../shell-syntax/shell-script.ts";
import { knownText, literalWord } from "../known-words.ts";
import {
  type CheckContext,
  defineProgram,
  type ParsedArguments,
  type ProgramCheck,
  type ProgramDefinition,
} from "../program.ts";
import { harmlessDevices, type Report } from "../report.ts";

function changer(names: string, more: Partial<ProgramDefinition>) {
  return defineProgram({ names: names.split(" "), category: "silent", operands: "writes", ...more });
}

const checkCopy: ProgramCheck = async (parsed, report, context) => {
  await toTarget(parsed, context, report, (source) => {
    report.read(source);
    // Copying a folder's content writes names that the command does not show.
    if (/(?:^|\/)\.{0,2}\/?$/.test(knownText(source) ?? ""))
      report.ask(`the names in ${source.source} are unknown until it runs`);
  });
};

const checkMove: ProgramCheck = (parsed, report, context) =>
  // What is moved can be read at its new place.
  toTarget(parsed, context, report, (source) => {
    report.read(source);
    report.write(source);
  });

/** The last operand, or the value of `-t`, is the target: a new name, or a folder that the others go into. */
async function toTarget(
  { operands, options }: ParsedArguments,
  { directory, world }: CheckContext,
  report: Report,
  take: (source: Word) => void,
): Promise<void> {
  const named = options.find(({ name }) => name === "-t" || name === "--target-directory")?.values.at(-1);
  const target = named ?? operands.at(-1);
  const sources = named === undefined ? operands.slice(0, -1) : operands;
  const text = target && knownText(target);
  if (target === undefined || text === undefined || sources.length === 0) {
    return report.ask("the target it writes to is unknown until it runs");
  }
  report.write(target);
  for (const source of sources) take(source);
  const path = posix.resolve(directory ?? "/", text);
  const isFolder = named !== undefined || text.endsWith("/") || mayBeFolder(await world.kindOf(path));
  if (!isFolder && sources.length === 1) return;
  for (const source of sources) {
    const name = knownText(source) ?? (source.kind === "glob" ? source.pattern : undefined);
    if (name === undefined) report.ask(`the names for ${source.source} are unknown until it runs`);
    else report.write(literalWord(`${text.replace(/\/+$/, "")}/${posix.basename(name)}`));
  }
}

/** `other` may be a link to a folder. */
function mayBeFolder(kind: "file" | "directory" | "other" | undefined): boolean {
  return kind === "directory" || kind === "other";
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
    check: checkMove,
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
