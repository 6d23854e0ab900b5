import type { ArgumentMeaning } from "../../../machine/command-reading/read-command.ts";
import { anyNumber, matchSteps } from "../../../shared/glob/match-steps.ts";
import { createStarMatcher } from "../../../shared/glob/name-pieces.ts";
import { type CommandPattern, readCommandPattern } from "./command-pattern.ts";
import { compareMeaning, couldMatch, namesToRun, programName } from "./could-match.ts";
import type { CommandMatch, RuleCommand } from "./rule.ts";
import { refuseTooWide } from "./too-wide.ts";

/**
 * Matches commands against a rule such as `npm test` or `git push *`. Compares words, not text: `git push *` does not
 * match `git pushx`, and quotes make no difference. A `*` stands for any further words, or for any characters of a word.
 * Deny and ask rules also match a program by its path and what runs it, and answer `maybe` for commands that could do the
 * same.
 */
export function commandMatcher(
  text: string,
  { where, isAllowing }: { where: string; isAllowing: boolean },
): (command: RuleCommand) => CommandMatch {
  const pattern = readCommandPattern(text, where);
  if (isAllowing) refuseTooWide(pattern, { text, where });
  const find = (argv: readonly string[]): CommandMatch => {
    if (!matchSteps(pattern.steps, argv.length, (word, at) => (word.matches(argv[at]!) ? 1 : 0)))
      return "none";
    return pattern.hasStars ? "prefix" : "exact";
  };
  if (isAllowing) return ({ argv }) => (argv === undefined ? "none" : find(argv));
  const isAlike = textTest(pattern);
  const findByName = (argv: readonly string[]): CommandMatch => {
    const [program = "", ...rest] = argv;
    const named = [programName(program), ...rest];
    const match = [find(argv), find(named)].find((each) => each !== "none");
    return match ?? (isAlike(named.join(" ")) ? "prefix" : "none");
  };
  const findByMeaning = meaningMatcher(pattern);
  return (command) => {
    const { argv, wrapped = [] } = command;
    const forms = argv === undefined ? wrapped : [argv, ...wrapped];
    const match = forms.map(findByName).find((each) => each !== "none");
    if (match !== undefined) return match;
    if (argv === undefined) return "maybe";
    const meant = findByMeaning(command);
    if (meant !== undefined && meant !== "none") return meant;
    return mayMean(pattern, argv, { isKnown: meant !== undefined }) ? "maybe" : "none";
  };
}

/** Compares options by their meaning: order and spelling make no difference. Undefined where the meaning is unknown. */
function meaningMatcher({
  literals,
  isPrefix,
  hasStars,
}: CommandPattern): (command: RuleCommand) => CommandMatch | undefined {
  // Without options, words in another order say something else.
  const isComparable = (isPrefix || !hasStars) && literals.slice(1).some((word) => /^-./.test(word));
  let rule: ArgumentMeaning | undefined;
  return ({ argv = [], readMeaning }) => {
    const [program = "", ...rest] = argv;
    if (!isComparable || programName(program) !== literals[0]) return undefined;
    rule ??= readMeaning?.(literals);
    const command = readMeaning?.([programName(program), ...rest]);
    if (rule === undefined || command === undefined) return undefined;
    const same = compareMeaning(rule, command, { isOpen: hasStars });
    return ({ yes: hasStars ? "prefix" : "exact", maybe: "maybe", no: "none" } as const)[same];
  };
}

function mayMean(
  { steps, fixed, literals, hasStars }: CommandPattern,
  argv: readonly string[],
  { isKnown }: { isKnown: boolean },
): boolean {
  if (fixed.length > 0) return couldMatch(literals, argv, { isPrefix: hasStars, isKnown });
  const [first] = steps;
  return first !== undefined && first !== anyNumber && namesToRun(argv).some(first.matches);
}

/**
 * Tests a command as other systems do, in which a star in the middle of a pattern also spans words: a command that the rule
 * denies there must not be allowed here.
 */
function textTest({ isPrefix, hasStars, text }: CommandPattern): (line: string) => boolean {
  return hasStars && !isPrefix ? createStarMatcher(text.replaceAll(/["'\\]/g, "")) : () => false;
}
