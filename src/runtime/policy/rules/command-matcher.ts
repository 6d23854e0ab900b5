import { couldMatch, programName, runsAnything } from "./could-match.ts";
import { type CommandMatch, type RuleCommand, RuleError } from "./rule.ts";

/**
 * * Matches commands against a rule such as `npm test` or `git push *`. Compares words, not text: `git push *` does not
 * match `git pushx`, and quotes make no difference. A final `*` stands for any further words. Deny and ask rules also
 * match a program by its path, and answer `maybe` for commands that could do the same.
 */
export function commandMatcher(
  pattern: string,
  { where, isAllowing }: { where: string; isAllowing: boolean },
): (command: RuleCommand) => CommandMatch {
  const { words, isPrefix } = readPattern(pattern, where);
  if (isAllowing && isPrefix) refuseTooBroad(words, pattern, where);
  const find = (argv: readonly string[]): CommandMatch => {
    if (!words.every((word, index) => argv[index] === word)) return "none";
    if (isPrefix) return "prefix";
    return argv.length === words.length ? "exact" : "none";
  };
  if (isAllowing) return ({ argv }) => (argv === undefined ? "none" : find(argv));
  return ({ argv }) => {
    if (argv === undefined) return "maybe";
    const match = find(argv);
    if (match !== "none") return match;
    const [program = "", ...rest] = argv;
    const byName = find([programName(program), ...rest]);
    if (byName !== "none") return byName;
    return couldMatch(words, argv, { isPrefix }) ? "maybe" : "none";
  };
}

function readPattern(pattern: string, where: string): { words: readonly string[]; isPrefix: boolean } {
  // Other systems write `npm run *` as `npm run:*`.
  const words = splitWords(pattern.trim().replace(/:\*$/, " *"), where);
  const isPrefix = words.at(-1)?.text === "*" && !words.at(-1)?.isQuoted;
  const fixed = isPrefix ? words.slice(0, -1) : words;
  const starred = fixed.find(({ text, isQuoted }) => !isQuoted && /[*?]/.test(text));
  if (starred !== undefined) {
    throw new RuleError(
      `${where}: in ${JSON.stringify(pattern)} only the last word may be *; quote ${starred.text} to use it literally`,
    );
  }
  return { words: fixed.map(({ text }) => text), isPrefix };
}

interface PatternWord {
  readonly text: string;
  readonly isQuoted: boolean;
}

function splitWords(pattern: string, where: string): PatternWord[] {
  const words = [...pattern.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain]): PatternWord => ({
      text: double ?? single ?? plain ?? "",
      isQuoted: plain === undefined,
    }),
  );
  const quotes = pattern.replace(/"[^"]*"|'[^']*'/g, "");
  if (/["']/.test(quotes) || words.length === 0) {
    throw new RuleError(
      `${where}: ${JSON.stringify(pattern)} is not a command: it is empty or has an unclosed quote`,
    );
  }
  return words;
}

function refuseTooBroad(words: readonly string[], pattern: string, where: string): void {
  const [program = "*"] = words;
  const isBare = words.length <= 1;
  if (runsAnything.has(program) || (isBare && needsMore.has(program))) {
    throw new RuleError(
      `${where}: ${JSON.stringify(pattern)} would allow almost anything; write the whole command, or more of its words`,
    );
  }
}

const needsMore = new Set([
  "*",
  "git",
  "rm",
  "npm",
  "yarn",
  "pnpm",
  "cargo",
  "go",
  "pip",
  "pip3",
  "uv",
  "curl",
  "wget",
]);
