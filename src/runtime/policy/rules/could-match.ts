/**
 * Whether a command may do what these words say though it does not begin with them: other options come first or in
 * another order, it is fed further words when it runs, or it is a program that runs what its own words or its input tell it
 * to. Good for a question, not for an answer.
 */
export function couldMatch(
  words: readonly string[],
  argv: readonly string[],
  { isPrefix }: { isPrefix: boolean },
): boolean {
  const [program = "", ...rest] = argv;
  const [wanted, ...further] = words;
  const name = programName(program);
  if (name === wanted) return isBeginning(rest, further) || saysElsewhere(further, rest, isPrefix);
  if (shells.has(name) && rest.every(isOption)) return true;
  return runners.has(name) && mentions(words, rest);
}

/** These run their input where they are given nothing else. */
const shells: ReadonlySet<string> = new Set("bash sh dash zsh fish ksh csh tcsh".split(" "));

/** As `xargs git` is of `git push`; by itself it would do nothing much. */
function isBeginning(rest: readonly string[], further: readonly string[]): boolean {
  return rest.length < further.length && rest.every((word, index) => word === further[index]);
}

/** A program is the same by whatever path it is called. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** With further words of somebody else's choosing, these run whatever they are told to. */
export const runsAnything: ReadonlySet<string> = new Set(
  `bash sh dash zsh fish ksh csh tcsh busybox python python2 python3 node nodejs deno bun perl ruby php lua osascript
  awk gawk mawk sed env sudo doas su xargs nohup timeout nice stdbuf setsid watch script flock parallel time command
  exec eval source . builtin find ssh docker podman kubectl npx pnpx bunx uvx pipx make`.split(/\s+/),
);

const runners: ReadonlySet<string> = new Set([
  ...runsAnything,
  ...`alias trap mapfile readarray unshare nsenter chroot strace ltrace gdb systemd-run at batch crontab pkexec runuser
  vim vi nvim ex emacs tmux screen expect`.split(/\s+/),
]);

function saysElsewhere(wanted: readonly string[], rest: readonly string[], isPrefix: boolean): boolean {
  const options = rest.filter(isOption);
  if (!wanted.filter(isOption).every((option) => isGiven(option, options))) return false;
  if (!isPrefix && rest.at(-1) !== wanted.at(-1)) return false;
  const operands = wanted.filter((word) => !isOption(word));
  let found = 0;
  for (const [index, word] of rest.entries()) {
    if (found === operands.length) break;
    if (word === operands[found]) found += 1;
    // What stands behind an option may be its value; any other word is what the program is told to do.
    else if (!isOption(word) && !isOption(rest[index - 1] ?? "")) return false;
  }
  return found === operands.length;
}

function isOption(word: string): boolean {
  return word.startsWith("-") && word.length > 1;
}

/** `-rf` is given by `-r -f`, too. */
function isGiven(option: string, options: readonly string[]): boolean {
  if (option.startsWith("--")) {
    return options.some((given) => given === option || given.startsWith(`${option}=`));
  }
  const letters = options.filter((given) => !given.startsWith("--")).join("");
  return [...option].every((letter) => letters.includes(letter));
}

function mentions(words: readonly string[], rest: readonly string[]): boolean {
  const mentioned = rest.flatMap((word) => word.split(/[\s"'`;&|(){}<>$=,!\\]+/)).map(programName);
  let from = 0;
  return words.every((word) => {
    const index = mentioned.indexOf(word, from);
    from = index + 1;
    return index !== -1;
  });
}
