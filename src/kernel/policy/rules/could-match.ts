import { couldBeGiven } from "./same-meaning.ts";

/**
 * Whether a command could do what these words say without starting with them: it has other options or another order, gets
 * more words when it runs, or runs programs named in its arguments or input. Only a reason to ask, never to deny. With
 * `isKnown`, options were already compared by their meaning.
 */
export function couldMatch(
  words: readonly string[],
  argv: readonly string[],
  { isPrefix, isKnown = false }: { isPrefix: boolean; isKnown?: boolean },
): boolean {
  const [program = "", ...rest] = argv;
  const [wanted, ...further] = words;
  const name = programName(program);
  if (name === wanted)
    return isBeginning(rest, further) || saysElsewhere(further, rest, { isPrefix, isKnown });
  if (shells.has(name) && rest.every(isOption)) return true;
  return runners.has(name) && mentions(words, rest);
}

/** These run their standard input if they get no script. */
const shells: ReadonlySet<string> = new Set("bash sh dash zsh fish ksh csh tcsh".split(" "));

/** For example `xargs git` for `git push`: the missing words may come from the input. */
function isBeginning(rest: readonly string[], further: readonly string[]): boolean {
  return rest.length < further.length && rest.every((word, index) => word === further[index]);
}

/** The program's name without its folder. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** Programs that can run anything, depending on their arguments. */
const runners: ReadonlySet<string> = new Set(
  `bash sh dash zsh fish ksh csh tcsh busybox python python2 python3 node nodejs deno bun perl ruby php lua osascript
  awk gawk mawk sed env sudo doas su xargs nohup timeout nice stdbuf setsid watch script flock parallel time command
  exec eval source . builtin find ssh docker podman kubectl npx pnpx bunx uvx pipx make alias trap mapfile readarray
  unshare nsenter chroot strace ltrace gdb systemd-run at batch crontab pkexec runuser vim vi nvim ex emacs tmux screen
  expect`.split(/\s+/),
);

function saysElsewhere(
  wanted: readonly string[],
  rest: readonly string[],
  { isPrefix, isKnown }: { isPrefix: boolean; isKnown: boolean },
): boolean {
  const options = rest.filter(isOption);
  const mayBeGiven = (option: string) =>
    isGiven(option, options) || (!isKnown && couldBeGiven(option, options));
  if (!wanted.filter(isOption).every(mayBeGiven)) return false;
  if (!isPrefix && rest.at(-1) !== wanted.at(-1)) return false;
  const operands = wanted.filter((word) => !isOption(word));
  let found = 0;
  for (const [index, word] of rest.entries()) {
    if (found === operands.length) break;
    if (word === operands[found]) found += 1;
    // A word after an option may be its value; any other word selects an action of the program.
    else if (!isOption(word) && !isOption(rest[index - 1] ?? "")) return false;
  }
  return found === operands.length;
}

function isOption(word: string): boolean {
  return word.startsWith("-") && word.length > 1;
}

/** `-r -f` counts as `-rf`. */
function isGiven(option: string, options: readonly string[]): boolean {
  if (option.startsWith("--")) {
    return options.some((given) => given === option || given.startsWith(`${option}=`));
  }
  const letters = options.filter((given) => !given.startsWith("--")).join("");
  return [...option].every((letter) => letters.includes(letter));
}

/** The names in the arguments of a program that can run other programs, and so may run these. */
export function namesToRun([program = "", ...rest]: readonly string[]): readonly string[] {
  return runners.has(programName(program)) ? namesIn(rest) : [];
}

function namesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => word.split(/[\s"'`;&|(){}<>$=,!\\]+/)).map(programName);
}

function mentions(words: readonly string[], rest: readonly string[]): boolean {
  const mentioned = namesIn(rest);
  let from = 0;
  return words.every((word) => {
    const index = mentioned.indexOf(word, from);
    from = index + 1;
    return index !== -1;
  });
}
