import { judgeArguments } from "../judge-arguments.ts";
import { knownText } from "../known-words.ts";
import type { CheckContext, ProgramCheck } from "../program.ts";
import type { Report } from "../report.ts";
import { gitCommands, remoteCommands } from "./git-commands.ts";
import { findGitProblem } from "./git-gate.ts";

/** Checks git's global options, then its subcommand, then whether the repository can be trusted. */
export const checkGit: ProgramCheck = async ({ operands: words }, report, context) => {
  const texts = words.map(knownText);
  if (texts.length === 1 && (texts[0] === "--version" || texts[0] === "version")) return;
  const first = texts.findIndex((text) => text === undefined || !harmlessGlobals.has(text));
  const name = first === -1 ? undefined : texts[first];
  if (name === undefined || words[first]?.kind !== "literal")
    return refuse("the git command is unknown until it runs", report, context);
  if (name.startsWith("-"))
    return refuse(`git ${name} may select another repository or run a program`, report, context);
  const rest = words.slice(first + 1);
  const subcommand = texts[first + 1];
  if (remoteCommands.has(name) || (name === "remote" && subcommand === "update")) report.connect("*");
  const program = gitCommands.get(`${name} ${subcommand ?? ""}`) ?? gitCommands.get(name);
  if (program === undefined)
    return report.runAnything(context.text, `git ${name} is not known to be read-only`);
  const isTwoWords = gitCommands.has(`${name} ${subcommand ?? ""}`);
  const inner = { ...context, name: `git ${name}` };
  await judgeArguments(program, isTwoWords ? rest.slice(1) : rest, { report, context: inner });
  report.read(".");
  const problem = await findGitProblem(context.directory, context.world);
  if (problem !== undefined) report.ask(problem);
};

const harmlessGlobals: ReadonlySet<string> = new Set([
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--no-replace-objects",
  "--no-advice",
]);

function refuse(reason: string, report: Report, { text }: CheckContext): void {
  report.ask(reason);
  report.run(text);
}
