import { fc } from "../../../../support/fuzz.ts";
import type { Random } from "../fuzz/random.ts";
import { sedScript } from "../languages/sed-scripts.ts";

/**
 * Programs in the languages that some programs take as an argument. They are built around something dangerous that stands
 * where one reading takes it for text and another for code, between any two pieces of the language.
 */
export function generateCode(program: string, random: Random): string | undefined {
  return languages.get(program)?.(random);
}

/** A program that is there already, inside or beside something else. */
export function extendCode(program: string, code: string, random: Random): string {
  const frames = program === "jq" ? jqFrames : ["§;1", "1;§", "{§}", "§ ", "abc§", "§%s", "§\np", "p\n§"];
  return random.pick(frames).split("§").join(code);
}

export function hasLanguage(program: string): boolean {
  return languages.has(program);
}

type Language = (random: Random) => string;

const awkDangers = [
  'system("touch m")',
  '"touch m"|getline',
  'print>"m"',
  'print|"touch m"',
  'getline<"../outside/secret.txt"',
  'printf "x">"m"',
  'print ENVIRON["DECLARED"]',
  'close("touch m")',
];
// Also those that only some implementations know: a word that is a keyword for one is a variable for another.
const awkWords = [
  ..."BEGIN END BEGINFILE ENDFILE case switch default func function delete exit next nextfile getline".split(
    " ",
  ),
  ..."print printf return in if else while for do break continue length substr x 1 0 $1 NR".split(" "),
];
const awkPieces = [
  ...awkWords,
  ..."+ - * / % ^ ! ~ == = ; , ( ) { } [ ] ? : && || < > | \\ # $ @load @include @namespace \n".split(" "),
  ...['"a"', "/a/", "/[/]/", '"\\"', "/\\//", "x[1]", "a::b", "@/a/", "/=", "\\\n"],
];

function awk(random: Random): string {
  const danger = random.pick(awkDangers);
  const hidden = random.pick([
    `"${danger.replaceAll('"', "")}"`,
    `#${danger}\n`,
    `{${danger}}`,
    `(${danger})`,
    danger,
    `"${danger}"`,
    `/[/]${danger}/`,
    "1",
    "print $1",
  ]);
  // What follows some words is a pattern, what follows others is divided.
  const between = `${random.pick(awkWords)}/${danger}/${random.pick(["1", "x", "$1", ""])}`;
  const around = random.pick([between, `${some(awkPieces, random)}${hidden}${some(awkPieces, random)}`]);
  return random.pick([
    `BEGIN{${around}}`,
    `{${around}}`,
    around,
    `BEGIN{x=1;${around}}`,
    `function f(){${around}}BEGIN{f()}`,
  ]);
}

function some(pieces: readonly string[], random: Random): string {
  const joint = random.pick(["", " ", ""]);
  return Array.from({ length: random.below(3) }, () => random.pick(pieces)).join(joint);
}

const jqDangers = [
  "env",
  "$ENV",
  "input",
  "inputs",
  "debug",
  "input_filename",
  '"\\(env)"',
  "env.DECLARED",
  "$ENV.DECLARED",
];
const jqFrames = [
  ..."(§) [§] {a:§} .[§:1] .[§] .[1:§] path(§) [paths(§)] §? -§ §|. .|§ .a|§ §,. try(§) first(§) . as[$x]|§".split(
    " ",
  ),
  ...[
    "§ as $x|$x",
    "if § then 1 else 2 end",
    "reduce § as $x(0;$x)",
    "foreach § as $x(0;$x)",
    "def f:§;f",
    '"\\(§)"',
  ],
  ...[
    "def env:1;§",
    ".§",
    ".a.§",
    "{§}",
    "{(§|tostring):1}",
    '@sh "\\(§)"',
    "limit(1;§)",
    "try error(§) catch .",
    "§ // 1",
  ],
  ...[
    'include "m";§',
    'import "m" as m;§',
    "label $x|§",
    "§|keys",
    "[§]|tojson",
    "getpath([§])",
    "splits(§)",
    "$__prog_args|§",
  ],
];

function jq(random: Random): string {
  let code = random.pick([...jqDangers, ".", ".items", ".name"]);
  for (let depth = random.below(4); depth > 0; depth -= 1) code = random.pick(jqFrames).split("§").join(code);
  return code;
}

function printf(random: Random): string {
  const directive = () =>
    [
      "%",
      random.pick(["", "", "-", "+", "0", "#", " ", "'", "-0"]),
      random.pick(["", "", "3", "*", "-3", "1$", "*1$"]),
      random.pick(["", "", ".", ".3", ".-1", ".*", ".-*", ".+1"]),
      random.pick(["", "", "", "", "l", "h", "ll", "j", "z", "L"]),
      random.pick([..."sdnnqbxcfAQ%", "(%n)T", "(%s)T", ""]),
    ].join("");
  const parts = Array.from(
    { length: 1 + random.below(2) },
    () => random.pick(["", "abc", "\\n", "\\x25n", "\\c"]) + directive(),
  );
  return parts.join("");
}

function dateFormat(random: Random): string {
  return `+${printf(random)}`;
}

let sedScripts: readonly string[] | undefined;

function sed(random: Random): string {
  sedScripts ??= fc.sample(sedScript, 3000);
  return random.pick(sedScripts).replaceAll(/ x\b/g, " m");
}

function testExpression(random: Random): string {
  return random.pick([
    "-f",
    "-v",
    "-R",
    "-n",
    "-eq",
    "-nt",
    "a",
    "x[$(touch m)]",
    "m",
    "(",
    ")",
    "!",
    "-a",
    "-o",
    "=",
    "=~",
  ]);
}

function arithmetic(random: Random): string {
  return random.pick(["1+1", "x[$(touch m)]", "a[`touch m`]", "x=1", "PATH=3", "1", "x", "x++", "(1)"]);
}

const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...["awk", "gawk", "mawk", "nawk", "original-awk"].map((name) => [name, awk] as const),
  ...["sed", "gsed"].map((name) => [name, sed] as const),
  ["jq", jq],
  ["printf", printf],
  ["date", dateFormat],
  ["test", testExpression],
  ["[", testExpression],
  ["expr", arithmetic],
  ["let", arithmetic],
]);
