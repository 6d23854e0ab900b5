import type { ArgumentMeaning } from "../../../machine/command-reading/read-command.ts";

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

/**
 * Whether a command does what a rule's words say, however it spells and orders its options: `rm --force -R x` does what
 * `rm -rf *` says. `maybe` if it has options that are not known. With `isOpen`, the command may say more.
 */
export function compareMeaning(
  rule: ArgumentMeaning,
  command: ArgumentMeaning,
  { isOpen }: { isOpen: boolean },
): "yes" | "maybe" | "no" {
  if (rule.names.join(" ") !== command.names.join(" ")) return "no";
  const hasOperands = rule.operands.every((operand, index) => command.operands[index] === operand);
  if (!hasOperands || (!isOpen && rule.operands.length !== command.operands.length)) return "no";
  const isGiven = ({ name, values }: ArgumentMeaning["options"][number]) =>
    command.options.some(
      (each) => each.name === name && values.every((value, index) => each.values[index] === value),
    );
  if (rule.options.every(isGiven)) {
    // A rule on one command alone isn't about the same with further options, but may be meant to be.
    return isOpen || rule.options.length === command.options.length ? "yes" : "maybe";
  }
  return rule.options.some(({ isKnown }) => !isKnown) || command.options.some(({ isKnown }) => !isKnown)
    ? "maybe"
    : "no";
}

/**
 * Whether one of the given options could be this one under another name, if nothing is known about the program: `-f` is
 * often short for `--force`, and `--forc` its abbreviation.
 */
function couldBeGiven(option: string, given: readonly string[]): boolean {
  const longs = given.filter(isLong).map(nameOf);
  const letters = new Set(given.filter((each) => !isLong(each)).flatMap(lettersOf));
  if (!isLong(option)) {
    const initials = new Set(longs.flatMap(initialsOf));
    return lettersOf(option).every((letter) => letters.has(letter) || initials.has(letter));
  }
  const name = nameOf(option);
  const isAbbreviated = longs.some((each) => each.startsWith(name) || name.startsWith(each));
  return isAbbreviated || initialsOf(name).some((letter) => letters.has(letter));
}

function isLong(option: string): boolean {
  return option.startsWith("--");
}

/** `output` in `--output=x`. */
function nameOf(option: string): string {
  return option.replace(/^--|=.*$/gs, "");
}

/** The letters of a short option in lower case, because `-r` and `-R` often mean the same. */
function lettersOf(option: string): readonly string[] {
  return [...option.slice(1).toLowerCase()];
}

function initialsOf(name: string): readonly string[] {
  return name.split("-").map((word) => word.charAt(0).toLowerCase());
}
