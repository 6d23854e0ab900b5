// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion

import { mutate } from "../fuzz/mutate.ts";
import { createRandom, type Random } from "../fuzz/random.ts";
import { wrapMutators } from "../fuzz/wrap-command.ts";
import { choose, createArguments, quote } from "./generate-arguments.ts";
import { hasLanguage } from "./generate-code.ts";
import type { TriedProgram } from "./list-programs.ts";

export interface GeneratedLine {
  readonly text: string;
  readonly program: TriedProgram;
  /** The program's own arguments, to go on from if they were let through. */
  readonly words: readonly string[];
}

export interface LineGenerator {
  next(): GeneratedLine;
  /** Tells that a line was let through: others like it are worth a try. */
  wasAllowed(line: GeneratedLine): void;
}

export interface LineOptions {
  readonly seed: number;
  readonly programs: readonly TriedProgram[];
  /** Argument lists to go on from, by program: plain ones, and those that are let through, which are added. */
  readonly plain: ArgumentPools;
  readonly pools: ArgumentPools;
  /** Names of variables that a command is given. */
  readonly variables: readonly string[];
  /** What `$BASE` stands for in names of planted files. */
  readonly base: string;
}

export type ArgumentPools = Map<string, (readonly string[])[]>;

const maxKept = 60;

/** Command lines without end; the same for the same seed and the same answers. */
export function generateLines({ seed, programs, plain, pools, variables, base }: LineOptions): LineGenerator {
  const random = createRandom(seed);
  for (const { call } of programs) if (!pools.has(call)) pools.set(call, [[]]);
  const generators = new Map(programs.map((program) => [program, createArguments(program, random)]));
  const weighted = programs.flatMap((program) => Array.from({ length: weightOf(program) }, () => program));
  // One that was let through may be an error to the program, which then does nothing.
  const known = (call: string) => (random.below(2) === 0 ? plain.get(call) : undefined) ?? pools.get(call)!;
  return {
    next() {
      const program = random.pick(weighted);
      const generator = generators.get(program)!;
      const words =
        random.below(5) === 0 ? generator.fresh() : generator.changed(random.pick(known(program.call)));
      return { program, words, text: frame(program, words, { random, variables }).replaceAll("$BASE", base) };
    },
    wasAllowed({ program, words }) {
      const pool = pools.get(program.call)!;
      if (words.length > 8) return;
      if (pool.length < maxKept) pool.push(words);
      else pool[random.below(maxKept)] = words;
    },
  };
}

/** The more a program can be told, the more often it is tried. */
function weightOf({ call, options }: TriedProgram): number {
  return 2 + Math.round(Math.sqrt(options.length)) + (hasLanguage(call) ? 30 : 0);
}

interface Framing {
  readonly random: Random;
  readonly variables: readonly string[];
}

/** The call by itself, or under wrappers, fed by another command, before or after one, or in a loop. */
function frame(
  { call, isBuiltin }: TriedProgram,
  words: readonly string[],
  { random, variables }: Framing,
): string {
  const plain = [call, ...words].join(" ");
  const fed = [call, ...words.slice(1)].join(" ");
  const given = words[0] ?? "a.txt";
  const xargs = `xargs ${random.pick(["", "-n1 ", "-0 ", "-I{} ", "-r ", "-L1 ", "-d '\\n' "])}`;
  const folder = random.pick([
    ".",
    "sub",
    "evil",
    "a..b",
    "vendor/bare",
    "link-out",
    "x=y",
    "'[d]'",
    `odd/${call.replace(" ", "-")}`,
  ]);
  return choose(random, [
    [40, () => plain],
    [10, () => `${random.pick(wrappers)} ${plain}`],
    [3, () => `env -u ${random.pick(variables)} ${plain}`],
    [5, () => `env ${random.pick(["-i", "-", "--ignore-environment", "-i PATH=/usr/bin:/bin"])} ${plain}`],
    [3, () => `${random.pick(["sh -c", "bash -c"])} ${quote(plain)}`],
    [4, () => `cd ${folder} && ${plain}`],
    // What changes the shell shows in what runs next.
    [isBuiltin ? 40 : 6, () => `${plain}; ls`],
    [2, () => `${plain} && cat a.txt`],
    [2, () => `${random.pick(["printf '%s\\n'", "echo", "printf '%s\\0'"])} ${given} | ${xargs}${fed}`],
    [3, () => `${random.pick(listings(folder))} | ${xargs}${plain}`],
    [3, () => `cat a.txt | ${plain}`],
    [2, () => `${plain} | ${random.pick(["cat", "head -1", "wc -l", "sort"])}`],
    [1, () => `${plain} < ${random.pick(["a.txt", "names.txt", "list0"])}`],
    [2, () => `for f in ${random.pick(["*", "-*", '"@"*', "*.txt", "odd/*/*"])}; do ${plain} "$f"; done`],
    [1, () => `x=${given}; ${call} ${random.pick(['"$x"', "$x", '"${x}"'])} ${words.slice(1).join(" ")}`],
    [
      2,
      () =>
        `find ${folder} ${random.pick(["-type f ", ""])}${random.pick(["-exec", "-execdir"])} ${plain} {} ${random.pick(["\\;", "+"])}`,
    ],
    [2, () => random.pick(wrapMutators)(plain, random)],
    [2, () => mutate(plain, random.below(2 ** 31))],
  ]);
}

const wrappers = [
  ..."env nice command nohup time exec builtin setsid stdbuf".split(" "),
  ...[
    "env X=1",
    "nice -n 5",
    "nice -5",
    "timeout 5",
    "timeout -k 1 5",
    "command -p",
    "time -p",
    "LC_ALL=C",
    "TZ=UTC",
  ],
  ...[
    "env -C sub",
    "env -S",
    "env --",
    "timeout -s KILL 5",
    "nice nice",
    "env env",
    "stdbuf -oL",
    "GIT_PAGER=cat",
    "busybox",
  ],
];

function listings(folder: string): string[] {
  return [
    `ls ${folder}`,
    `find ${folder} -type f`,
    `find ${folder} -print0`,
    `find ${folder} -name '*.txt'`,
    "git ls-files",
    "git ls-files -z",
    "cat names.txt",
    "grep -rl foo .",
    "grep -rlZ foo .",
  ];
}
