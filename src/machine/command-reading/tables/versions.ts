import type { Word } from "../../shell-syntax/index.ts";
import { knownText } from "../known-words.ts";
import { defineProgram, type ProgramCheck } from "../program.ts";

/** Any other arguments run code or depend on the project's files. */
const onlyVersion: ProgramCheck = ({ operands }, report, { name, text }) => {
  if (!asksVersion(name, operands)) report.runAnything(text, `${name} may run any code`);
};

/**
 * Whether the arguments are exactly those that print the version. For cargo, rustc, go and yarn there are none: the
 * repository chooses which program they start.
 */
export function asksVersion(name: string, operands: readonly Word[]): boolean {
  const [first, ...more] = operands.map(knownText);
  return more.length === 0 && first !== undefined && (versionOptions.get(name)?.includes(first) ?? false);
}

const versionOptions: ReadonlyMap<string, readonly string[]> = new Map([
  ["node", ["--version", "-v"]],
  ["bash", ["--version"]],
  ["npm", ["--version"]],
  ["python3", ["--version"]],
  ["docker", ["--version"]],
  ["java", ["-version"]],
]);

/** Interpreters that are harmless only when asked for their version. */
export const versionPrograms = [
  defineProgram({
    names: ["node", "bash", "sh", "python3", "java"],
    category: "general",
    hasNoOptions: true,
    operands: "checked",
    check: onlyVersion,
  }),
];
