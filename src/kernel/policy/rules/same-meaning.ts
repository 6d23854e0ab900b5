import type { ArgumentMeaning } from "../../../machine/command-reading/read-command.ts";

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
export function couldBeGiven(option: string, given: readonly string[]): boolean {
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
