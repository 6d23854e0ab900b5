import { isFreshName, type Word } from "../../shell-syntax/index.ts";
import { knownText } from "../known-words.ts";
import { checkTest } from "../languages/test-expression.ts";
import { optionValues } from "../parse-arguments.ts";
import { type ProgramCheck, programsLike } from "../program.ts";

const neutral = programsLike({ category: "neutral", operands: "none" });

/** `printf -v` and `%n` assign a variable. A conversion that is not known in every detail may be a `%n` to some shell. */
const checkPrintf: ProgramCheck = ({ operands }, report) => {
  const isMarked = operands[0] !== undefined && knownText(operands[0]) === "--";
  const format = operands[isMarked ? 1 : 0];
  const text = format && knownText(format);
  if (format === undefined) return;
  if (text === undefined) return report.ask("printf: its format is unknown until it runs");
  if (text.startsWith("-") && !isMarked) return report.ask(`printf ${text} may assign a variable`);
  const [unknown] = /%.*/s.exec(text.replace(conversions, "")) ?? [];
  if (unknown !== undefined) report.ask(`printf ${unknown.slice(0, 20)} may assign a variable`);
};

const conversions =
  /%(?:%|[-#+ 0']*(?:\*|[1-9]\d*)?(?:\.(?:\*|\d*))?(?:[hjlLtz]*[diouxXeEfFgGaA]|[csbq]|\((?:[^()%]|%[^()%])*\)T))/g;

const checkSet: ProgramCheck = ({ operands }, report) => {
  const words = operands.map(knownText);
  if (words.length === 0) return report.ask("set shows every variable");
  for (let index = 0; index < words.length; index += 1) {
    const text = words[index];
    if (text !== undefined && /^[-+][eux]*o$/.test(text)) {
      index += 1;
      if (!harmlessModes.has(words[index] ?? ""))
        report.ask(`set ${text} ${words[index] ?? ""} may change what later commands do`);
    } else if (text === undefined || !/^[-+][eux]+$/.test(text))
      report.ask("set may change what later commands do");
  }
};

const harmlessModes: ReadonlySet<string> = new Set(["pipefail", "errexit", "nounset", "xtrace"]);

const checkRead: ProgramCheck = (parsed, report) => {
  for (const word of [...parsed.operands, ...optionValues(parsed, "-a")])
    if (!isFreshName(knownText(word) ?? ""))
      report.ask(`read may change ${word.source}, which other programs use`);
};

const checkUnset: ProgramCheck = ({ operands }, report) => {
  for (const word of operands)
    if (!isFreshName(knownText(word) ?? ""))
      report.ask(`unset ${word.source} may change what later commands do`);
};

const checkNumber: ProgramCheck = ({ operands }, report, { name }) => {
  const isNumber = (word: Word) =>
    /^[\d.]+[smhd]?$/.test(knownText(word) ?? "") || (word.kind === "dynamic" && word.isInteger === true);
  if (!operands.every(isNumber)) report.ask(`the argument of ${name} is not a plain number`);
};

/** Shell builtins and similar programs. */
export const builtinPrograms = [
  neutral("echo", {
    operands: "data",
    hasNoOptions: true,
    hasOnlyHarmlessOptions: true,
    showsNoContent: true,
  }),
  neutral("printf", { operands: "checked", hasNoOptions: true, check: checkPrintf }),
  neutral("true false :", { operands: "data", hasNoOptions: true, hasOnlyHarmlessOptions: true }),
  neutral("test [ [[", { operands: "checked", hasNoOptions: true, check: checkTest }),
  neutral("pwd", { harmless: "-L -P" }),
  neutral("cd pushd", {
    harmless: "-L -P -e",
    operands: "checked",
    hasPlusOptions: true,
    check: ({ operands }, report) => {
      // An unknown target makes the directory unknown for the commands after it; `-` is the previous directory.
      for (const word of operands)
        if (knownText(word) !== undefined && knownText(word) !== "-") report.read(word);
    },
  }),
  neutral("popd dirs", { harmless: "-n -c -l -p -v", hasPlusOptions: true }),
  neutral("exit return break continue shift sleep wait", { operands: "checked", check: checkNumber }),
  neutral("jobs times", { harmless: "-l -n -p -r -s" }),
  neutral("umask", { harmless: "-p -S" }),
  neutral("ulimit", { harmless: "-a -c -d -f -l -m -n -s -t -u -v -S -H" }),
  neutral("set", { operands: "checked", hasNoOptions: true, check: checkSet }),
  neutral("read", {
    harmless: "-r -s -e -p= -n= -N= -d= -t= -a=",
    variables: ["IFS"],
    operands: "checked",
    check: checkRead,
  }),
  neutral("unset", { harmless: "-v", operands: "checked", check: checkUnset }),
  neutral("help", { harmless: "-d -s -m", operands: "data" }),
];
