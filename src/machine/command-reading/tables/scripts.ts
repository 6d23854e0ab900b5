import type { Word } from "../../shell-syntax/index.ts";
import { knownText } from "../known-words.ts";
import { findAwkProblem } from "../languages/awk-program.ts";
import { findJqProblem } from "../languages/jq-filter.ts";
import { findSedProblem } from "../languages/sed-script.ts";
import { hasOption, optionValues } from "../parse-arguments.ts";
import { type CheckContext, type ProgramCheck, programsLike } from "../program.ts";
import type { Report } from "../report.ts";

const checkSed: ProgramCheck = (parsed, report, { name: program, world }) => {
  const isScriptGiven = hasOption(parsed, "-e", "--expression");
  const isInPlace = hasOption(parsed, "-i", "--in-place");
  const { operands: words } = parsed;
  const operands = isInPlace && mayBeOfBsd(program, world) ? withoutSuffix(words, report) : words;
  const scripts = isScriptGiven ? optionValues(parsed, "-e", "--expression") : operands.slice(0, 1);
  const texts = scripts.map(knownText);
  if (texts.includes(undefined)) report.ask("sed: its script is unknown until it runs");
  else askAbout(findSedProblem(texts.join("\n")), report);
  // Where -l takes no value, the word after it is the script.
  if (optionValues(parsed, "-l").some((word) => !/^\d+$/.test(knownText(word) ?? "")))
    report.ask("sed -l needs a plain number");
  // With a suffix, the previous content is kept in a backup file.
  if (optionValues(parsed, "-i", "--in-place").length > 0)
    report.ask("sed -i with a suffix also writes backup files");
  for (const file of isScriptGiven ? operands : operands.slice(1)) {
    if (isInPlace) report.write(file);
    else report.readOperand(file);
  }
};

/** Other systems than Linux have the sed of BSD, as GNU's is called `gsed` there. */
function mayBeOfBsd(program: string, { platform = "linux" }: CheckContext["world"]): boolean {
  return program === "sed" && platform !== "linux";
}

/** There the word after `-i` ends the name of a backup, whatever it looks like, and the script comes after it. */
function withoutSuffix([suffix, ...rest]: readonly Word[], report: Report): readonly Word[] {
  if (suffix === undefined || knownText(suffix) !== "")
    report.ask("sed -i without a separate '' takes the next word for the ending of a backup's name");
  return rest;
}

const checkAwk: ProgramCheck = ({ operands }, report) => {
  const [program, ...files] = operands;
  const text = program && knownText(program);
  if (text === undefined) report.ask("awk: its program is unknown until it runs");
  else askAbout(findAwkProblem(text), report);
  for (const file of files) {
    // Awk takes no options after its program, but an implementation might.
    if (/^-./.test(knownText(file) ?? "")) report.ask(`awk: ${file.source} looks like an option`);
    // `name=value` among the files sets a variable.
    if (!/^[a-z_]\w*=/.test(knownText(file) ?? "")) report.readOperand(file);
  }
};

const checkJq: ProgramCheck = ({ operands }, report) => {
  const [filter, ...files] = operands;
  const text = filter && knownText(filter);
  if (filter !== undefined && text === undefined) report.ask("jq: its filter is unknown until it runs");
  else askAbout(findJqProblem(text ?? "."), report);
  // Words after --args are plain data, but words before it are files.
  for (const file of files) report.readOperand(file);
};

/** Names that are harmless in jq are harmless in yq; names that only yq has, such as `load`, are not in that list. */
const checkYq: ProgramCheck = ({ operands }, report) => {
  const words = /^(?:e|eval)$/.test((operands[0] && knownText(operands[0])) ?? "")
    ? operands.slice(1)
    : operands;
  const [filter, ...files] = words;
  const text = filter && knownText(filter);
  if (text === undefined) report.ask("yq: its filter is unknown until it runs");
  else if (!text.startsWith(".")) report.ask("yq: its filter does not start with a path");
  else askAbout(findJqProblem(text)?.replace("jq", "yq"), report);
  for (const file of files) report.readOperand(file);
};

function askAbout(problem: string | undefined, report: Report): void {
  if (problem !== undefined) report.ask(problem);
}

const interpreter = programsLike({ category: "read", operands: "checked" });

/** Programs whose first operand is a script in the program's own language. */
export const scriptPrograms = [
  interpreter("sed gsed", {
    harmless:
      "-n|--quiet|--silent -e=|--expression= -E|-r|--regexp-extended -s|--separate -z|--null-data -u|--unbuffered -l=|--line-length= --posix --debug --sandbox --version --help -i?|--in-place?",
    asks: { "reads its script from a file": "-f=|--file=" },
    check: checkSed,
  }),
  interpreter("awk gawk mawk nawk", {
    harmless:
      "-F= --field-separator= -v= --assign= --posix --traditional --re-interval -S --sandbox --version --help",
    asks: {
      "reads its program from a file": "-f= --file= -E= --exec= -i= --include=",
      "loads a library": "-l= --load=",
      "writes a file": "-o? --pretty-print? -p? --profile? -d? --dump-variables?",
    },
    stopsAtOperand: true,
    check: checkAwk,
  }),
  interpreter("jq", {
    harmless:
      "-n --null-input -r --raw-output -R --raw-input -c --compact-output -e --exit-status -s --slurp -S --sort-keys -a --ascii-output -j --join-output -C --color-output -M --monochrome-output --tab --indent= --arg=2 --argjson=2 --args --jsonargs --seq --stream --stream-errors --unbuffered --raw-output0 -h --help -V --version --build-configuration",
    reads: "--slurpfile=2 --rawfile=2",
    asks: { "reads its filter from a file": "-f= --from-file=", "loads modules": "-L= --library-path=" },
    check: checkJq,
  }),
  interpreter("yq", {
    harmless:
      "-r --raw-output -o= --output-format= -p= --input-format= -P --prettyPrint -e --exit-status -N --no-doc -M --no-colors -C --colors -I= --indent= -j --tojson --version",
    asks: { "changes its files": "-i --inplace --in-place", "writes files": "-s= --split-exp=" },
    check: checkYq,
  }),
];
