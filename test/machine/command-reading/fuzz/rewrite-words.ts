import { findPlainWords, type PlainWord } from "./plain-words.ts";
import type { Random } from "./random.ts";

/** Says the same in other letters, or gives the command back as it is where that cannot be done. */
export type Mutator = (command: string, random: Random) => string;

/** Ways to write words that mean what they meant before, or less than anybody knows. */
export const wordMutators: readonly Mutator[] = [
  onPlainWord((text, random) => atOneCharacter(text, random, quoteCharacter)),
  onPlainWord((text, random) => atOneCharacter(text, random, quoteCharacter)),
  onPlainWord((text, random) => random.pick([`'${text}'`, `"${text}"`, `$'${text}'`, `$"${text}"`])),
  onPlainWord((text) => `$'${[...text].map(asHex).join("")}'`),
  onPlainWord((text, random) => atOneCharacter(text, random, (each) => `\\\n${each}`)),
  onPlainWord((text, random) =>
    atOneCharacter(text, random, (each) => random.pick(["''", '""', "$''"]) + each),
  ),
  betweenWords((random) => random.pick(["\t", "  ", " \t ", " \\\n", " \\\n\t "])),
  betweenWords((random) => random.pick([" \\\n \\\n", "   \\\n"])),
  hideCharacter,
  abbreviate,
  bundle,
  markOperands,
  intoBraces,
  intoVariable,
  intoPath,
];

function onPlainWord(change: (text: string, random: Random) => string): Mutator {
  return (command, random) => {
    const words = findPlainWords(command);
    if (words.length === 0) return command;
    const word = random.pick(words);
    return replaceWord(command, word, change(word.text, random));
  };
}

function replaceWord(command: string, { start, end }: PlainWord, text: string): string {
  return command.slice(0, start) + text + command.slice(end);
}

function atOneCharacter(
  text: string,
  random: Random,
  change: (character: string, random: Random) => string,
): string {
  const at = random.below(text.length);
  return text.slice(0, at) + change(text[at]!, random) + text.slice(at + 1);
}

function quoteCharacter(character: string, random: Random): string {
  return random.pick([`'${character}'`, `"${character}"`, `\\${character}`, `$'${asHex(character)}'`]);
}

function asHex(character: string): string {
  return `\\x${character.codePointAt(0)!.toString(16)}`;
}

function betweenWords(blank: (random: Random) => string): Mutator {
  return (command, random) => {
    const gaps = findPlainWords(command)
      .map(({ end }) => end)
      .filter((end) => command[end] === " ");
    if (gaps.length === 0) return command;
    const at = random.pick(gaps);
    return command.slice(0, at) + blank(random) + command.slice(at + 1);
  };
}

/** Characters that look like a blank or like nothing. */
function hideCharacter(command: string, random: Random): string {
  const hidden = [
    ..."\r\v\f\b\x01\x1b\x7f\u0085\u00a0\u00ad\u1680\u2003\u200b\u200d\u202e\u2028\u2060\u3000\ufeff",
  ];
  const at = random.below(command.length + 1);
  return command.slice(0, at) + random.pick(hidden) + command.slice(at);
}

/** GNU programs take a long option by any beginning of it that is unique. */
function abbreviate(command: string, random: Random): string {
  // Of git's --textconv the beginning is another option.
  const words = findPlainWords(command).filter(({ text }) => /^--(?!text)[a-z-]{4,}/.test(text));
  if (words.length === 0) return command;
  const word = random.pick(words);
  const [name = ""] = /^--[a-z-]+/.exec(word.text)!;
  const kept = name.slice(0, Math.max(4, name.length - 1 - random.below(3)));
  return replaceWord(command, word, kept + word.text.slice(name.length));
}

const bundled: ReadonlyMap<string, string> = new Map(
  Object.entries({ sort: "u", shuf: "z", sed: "n", grep: "n", rg: "n", tar: "v", iconv: "c", ls: "l" }),
);

/** `-o` as `-uo`. */
function bundle(command: string, random: Random): string {
  const words = findPlainWords(command);
  const letter = bundled.get(words[0]?.text ?? "");
  const options = words.filter(({ text }) => /^-[a-zA-Z]/.test(text));
  if (letter === undefined || options.length === 0 || words[0]!.start > 0) return command;
  const option = random.pick(options);
  return replaceWord(command, option, `-${letter}${option.text.slice(1)}`);
}

/** `--` before the last word, where that is no option. */
function markOperands(command: string): string {
  const last = findPlainWords(command).at(-1);
  if (last === undefined || last.end !== command.length || /^-|=/.test(last.text)) return command;
  return command[last.start - 1] === " " ? replaceWord(command, last, `-- ${last.text}`) : command;
}

/** `{rm,file}` */
function intoBraces(command: string, random: Random): string {
  const words = findPlainWords(command).filter(({ text }) => !text.includes(","));
  const pairs = words.filter((word, index) => {
    const next = words[index + 1];
    return next !== undefined && next.start === word.end + 1 && command[word.end] === " ";
  });
  if (pairs.length === 0) return command;
  const first = random.pick(pairs);
  const second = words[words.indexOf(first) + 1]!;
  return replaceWord(command, { ...first, end: second.end }, `{${first.text},${second.text}}`);
}

function intoVariable(command: string, random: Random): string {
  const words = findPlainWords(command);
  if (words.length === 0) return command;
  const word = random.pick(words);
  const name = `carried_${random.below(1_000_000)}`;
  const use = random.pick([`$${name}`, `"$${name}"`, `"\${${name}}"`, `\${${name}:-x}`]);
  return `${name}=${word.text}; ${replaceWord(command, word, use)}`;
}

/** The program by a path, which may lead to any file. */
function intoPath(command: string, random: Random): string {
  const [first] = findPlainWords(command);
  if (first === undefined || first.start > 0 || !/^[a-z]\w*$/.test(first.text)) return command;
  return replaceWord(command, first, random.pick(["/bin/", "/usr/bin/", "./", "~/"]) + first.text);
}
