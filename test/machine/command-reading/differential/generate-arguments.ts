// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import type { Random } from "../fuzz/random.ts";
import { extendCode, generateCode, hasLanguage } from "./generate-code.ts";
import type { TriedProgram } from "./list-programs.ts";
import { newNames, payloads, plantedNames } from "./plant-world.ts";

/**
 * Argument lists for a program, each word as it is written in bash. They know what the program itself tells of its
 * options, and that there are letters, abbreviations, clusters, values and names; of what is thought harmless they know
 * nothing.
 */
export interface ArgumentGenerator {
  fresh(): string[];
  /** One or two steps away from a list that is there already. */
  changed(words: readonly string[]): string[];
}

const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];

export function createArguments(program: TriedProgram, random: Random): ArgumentGenerator {
  const name = program.call.split(" ")[0]!;
  const hasCode = hasLanguage(name);
  const longOptions = program.options.filter((option) => option.startsWith("--"));
  const ownOption = () => (program.options.length > 0 ? random.pick(program.options) : letter());
  const letter = () => `-${random.pick(letters)}`;
  const cluster = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(ownLetters)).join("");
  const ownLetters = [
    ...letters,
    ...program.options
      .filter((option) => /^-\w$/.test(option))
      .flatMap((option) => Array(3).fill(option[1]!)),
  ];
  const abbreviation = () => {
    const whole = longOptions.length > 0 ? random.pick(longOptions) : "--output";
    return whole.slice(0, 3 + random.below(Math.max(1, whole.length - 3)));
  };

  const code = () => quote(generateCode(name, random) ?? random.pick(["1", "a", "^a", "a*", "%s"]));
  const operand = () =>
    choose(random, [
      [8, () => quote(random.pick(plantedNames.files))],
      [4, () => quote(random.pick(plantedNames.folders))],
      [5, () => quotePlace(random.pick(plantedNames.outside))],
      [1, () => "/dev/null"],
      [name === "git" ? 6 : 0, () => random.pick(revisions)],
      [3, () => glob(random)],
      [2, () => joined(random)],
      [1, () => quote(random.pick(newNames))],
      [program.isBuiltin ? 8 : 1, () => random.pick(["PATH", "PATH", "x", "IFS", "x[1]", "PATH=3"])],
      [1, () => random.pick(["-", "/dev/stdin", "1", "PATH", "x"])],
    ]);
  const value = () =>
    choose(random, [
      [4, () => quote(program.values.length > 0 ? random.pick(program.values) : "1")],
      [2, () => quote(random.pick(payloads))],
      [2, () => quotePlace(random.pick(plantedNames.outside))],
      [2, () => quote(random.pick(newNames))],
      [2, () => quote(random.pick(plantedNames.files))],
      [1, () => random.pick(["1", "0", "-1", "+1", "10", "x", "always", "never", "=", ",", "PATH"])],
      [1, () => joined(random)],
      [
        1,
        () =>
          program.values.length > 1
            ? quote(`${random.pick(program.values)}:${random.pick(program.values)}`)
            : "a:b",
      ],
    ]);
  // What the documentation leaves open is filled in by what it is called.
  const formats = program.values.filter((each) => each.startsWith("%"));
  const fillings = (called: string): readonly string[] => {
    if (/format|fmt/i.test(called) && formats.length > 0) return formats;
    if (/cmd|command|prog|helper|tool|pager|editor/i.test(called)) return payloads;
    if (/file|path|dir|name/i.test(called))
      return [random.pick(plantedNames.files), random.pick(plantedNames.outside), random.pick(newNames)];
    if (/^<?n\b|num|count|size|width|depth/i.test(called)) return ["1", "0", "-1"];
    return [unquote(value()), random.pick(payloads)];
  };
  const placeholder = /<[^>]*>?|\[.*|\.\.\.|\b[A-Z]{3,}\b/;
  const filled = (text: string): string[] => {
    const [called] = placeholder.exec(text) ?? [];
    return called === undefined ? [text] : fillings(called).map((each) => text.replace(called, () => each));
  };
  const documented = Object.entries(program.valuesOf).filter(([, values]) => values.length > 0);
  const withValue = (named: string, given: string): string[] =>
    named.startsWith("--") && random.below(4) > 0
      ? [`${named}=${quotePlace(given)}`]
      : [named, quotePlace(given)];
  const optionWithValue = (): string[] => {
    if (documented.length === 0) return [`${ownOption()}=${value()}`];
    const [named, values] = random.pick(documented);
    return withValue(named, random.pick(filled(random.pick(values))));
  };
  /** Everything that the documentation tells, in any order, and then again. */
  const everything = [
    ...program.options.map((each) => () => [each]),
    ...documented.flatMap(([named, values]) =>
      values.flatMap(filled).map((given) => () => withValue(named, given)),
    ),
  ];
  let told: (() => string[])[] = [];
  const nextTold = () => {
    if (told.length === 0) told = shuffled(random, everything);
    return told.pop();
  };
  const option = (): string[] =>
    choose(random, [
      [8, optionWithValue],
      [6, () => [ownOption()]],
      [4, () => [ownOption(), value()]],
      [4, () => [`${ownOption()}=${value()}`]],
      [4, () => [letter()]],
      [3, () => [letter(), value()]],
      [2, () => [`${letter()}${value()}`]],
      [2, () => [`-${cluster()}`]],
      [1, () => [`-${cluster()}`, value()]],
      [2, () => [abbreviation()]],
      [1, () => [`${abbreviation()}=${value()}`]],
      [1, () => [random.pick(["-", "+", `+${random.pick(letters)}`])]],
    ]);
  const dashless = () => (random.below(3) === 0 ? [cluster()] : [cluster(), value()]);

  const extended = (words: string[], place: number) =>
    words.with(place, quote(extendCode(name, unquote(words[place]!), random)));

  const insert = (words: string[]): string[] => {
    const at = random.pick([0, words.length, random.below(words.length + 1)]);
    return choose<string[]>(random, [
      [10, () => words.toSpliced(at, 0, ...option())],
      [4, () => words.toSpliced(at, 0, operand())],
      [2, () => words.toSpliced(0, 0, ...dashless())],
      [2, () => words.toSpliced(at, 0, "--")],
      // As one step, because a list with only the first half of it may be of no use to the program.
      [4, () => words.toSpliced(at, 0, "--", ...(random.below(2) === 0 ? words.slice(0, 1) : option()))],
      // Behind a mark that ends the options for some programs only, a word may count a second time.
      [2, () => (words.length > 0 ? words.toSpliced(at, 0, random.pick(words)) : [code()])],
      [1, () => (words.length > 0 ? words.toSpliced(random.below(words.length), 1) : words)],
      [
        5,
        () =>
          words.length > 0
            ? words.with(random.below(words.length), random.pick([value, operand, operand])())
            : [operand()],
      ],
      [1, () => words.toReversed()],
      [hasCode ? 24 : 1, () => (words.length > 0 ? words.with(placeOfCode(words), code()) : [code()])],
      [hasCode && words.length > 0 ? 8 : 0, () => extended(words, placeOfCode(words))],
    ]);
  };

  return {
    fresh() {
      const words: string[] = hasCode && random.below(4) > 0 ? [code()] : [];
      if (name === "jq" && random.below(3) > 0) words.unshift("-n");
      for (let count = random.below(4); count > 0; count -= 1)
        words.push(
          ...choose<string[]>(random, [
            [3, () => [operand()]],
            [3, option],
          ]),
        );
      return words;
    },
    changed(words) {
      const next = random.below(hasCode ? 4 : 2) === 0 ? nextTold() : undefined;
      if (next !== undefined) return random.below(3) > 0 ? [...next(), ...words] : [...words, ...next()];
      const once = insert([...words]);
      return random.below(5) < 2 ? insert(once) : once;
    },
  };
}

const revisions = [
  ..."HEAD main other HEAD~1 main..other main...other HEAD^! @ HEAD:a.txt HEAD:./sub :a.txt --all".split(" "),
];

/** A pattern that the shell fills in with planted names, most of them such as look like something else. */
function glob(random: Random): string {
  return random.pick([
    '"@"*',
    "@*",
    "-*",
    "*",
    "./*",
    "a.*",
    "sub/*",
    "?x",
    '"-"?',
    "[@-]*",
    "*.txt",
    "evil/.*",
    "{a,b}.txt",
    "a..b/*",
  ]);
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}

/** Two names with something between them that a program may take them apart at. */
function joined(random: Random): string {
  const part = () =>
    random.pick([
      "a.txt",
      "sub",
      "HEAD",
      "main",
      "x",
      "1",
      ".",
      "a..b",
      "../outside/secret.txt",
      "/../../outside/secret.txt",
      "m",
    ]);
  return quote(
    `${part()}${random.pick(["..", "...", ":", "=", ",", "/", "/../", "@", "^", "~", ":/", "//"])}${part()}`,
  );
}

export function choose<Item>(
  random: Random,
  ways: readonly (readonly [weight: number, make: () => Item])[],
): Item {
  let at = random.below(ways.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, make] of ways) {
    if (at < weight) return make();
    at -= weight;
  }
  throw new Error("unreachable");
}

export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Which word is a program in the language of the one that is called: most of them have to be quoted. */
function placeOfCode(words: readonly string[]): number {
  return Math.max(
    0,
    words.findIndex((word) => word.startsWith("'")),
  );
}

function unquote(word: string): string {
  return /^'.*'$/s.test(word) ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}

/** Home folder and variables are to be filled in by the shell. */
function quotePlace(text: string): string {
  return /^(?:[~$][\w/.]*)$/.test(text) ? text : quote(text);
}
