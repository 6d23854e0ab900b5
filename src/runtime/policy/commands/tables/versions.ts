import { knownText } from "../known-words.ts";
import { defineProgram, type ProgramCheck } from "../program.ts";

/** Any other arguments run code or depend on the project's files. */
const onlyVersion: ProgramCheck = ({ operands }, report, { name, text }) => {
  const [first, ...more] = operands.map(knownText);
  if (more.length === 0 && (first === "--version" || (name === "node" && first === "-v"))) return;
  report.runAnything(text, `${name} may run any code`);
};

/** Interpreters that are harmless only when asked for their version. */
export const versionPrograms = [
  defineProgram({
    names: ["node", "bash"],
    category: "general",
    hasNoOptions: true,
    operands: "checked",
    check: onlyVersion,
  }),
];
