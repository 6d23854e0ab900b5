import { fc } from "../../../support/fuzz.ts";
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
  const inText = `${random.pick(awkPieces)}"${random.pick(awkPieces)}${danger}${random.pick(awkPieces)}"`;
  const around = random.pick([
    ...[between, between, between],
    inText,
    `${some(awkPieces, random)}${hidden}${some(awkPieces, random)}`,
    awkStatement(random, 3),
  ]);
  return random.pick([
    `BEGIN{${around}}`,
    `{${around}}`,
    around,
    `BEGIN{x=1;${around}}`,
    `function f(){${around}}BEGIN{f()}`,
  ]);
}

/** By the grammar of the language, so that most of it is understood. */
function awkStatement(random: Random, depth: number): string {
  const inner = () => awkStatement(random, depth - 1);
  const value = () => awkValue(random, depth - 1);
  const ways = [
    () => `print ${value()}`,
    () => `printf ${value()},${value()}`,
    () => `x=${value()}`,
    () => `if(${value()})${inner()}`,
    () => `if(${value()}){${inner()}}else ${inner()}`,
    () => `for(x in y)${inner()}`,
    () => `while(${value()}>1){${inner()}}`,
    () => `${inner()};${inner()}`,
    () => `print ${value()},${value()} ${random.pick([">", ">>", "|", "|&"])} ${value()}`,
    () => `${value()} | getline ${random.pick(["", "x", "$1"])}`,
    () => `getline ${random.pick(["", "x", "x "])}< ${value()}`,
  ];
  return depth <= 0 ? random.pick(["print", "x=1", "next", ...awkDangers]) : random.pick(ways)();
}

function awkValue(random: Random, depth: number): string {
  const inner = () => awkValue(random, depth - 1);
  const plain = ["1", "x", "$1", '"a"', "NR", "/a/", "y[1]", '"m"', '"touch m"', '"../outside/secret.txt"'];
  if (depth <= 0) return random.pick(plain);
  return random.pick([
    () => `(${inner()})`,
    () => `${inner()} ${inner()}`,
    () => `${inner()}${random.pick(["+", "-", "/", "%", "^", "~", "<", ">", "==", "&&", "?1:"])}${inner()}`,
    () =>
      `${random.pick(["length", "substr", "sprintf", "tolower", "system", "close", "split", "gsub", "index"])}(${inner()}${random.pick(["", `,${inner()}`])})`,
    () => `ENVIRON[${inner()}]`,
    () => `@${random.pick(["x", "f"])}(${inner()})`,
    () => random.pick(plain),
  ])();
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
/** Where a value can stand. */
const jqPlaces = [
  ..."(§) [§] {a:§} .[§:1] .[1:§] .[§:§] .[§] .a[§] .a[§:]? -§ §|. .|§ .a|§ §,. . as[$x]|§ .§ .a.§ {§} §//1 §as$x|$x".split(
    " ",
  ),
  ...["if § then 1 else 2 end", "if 1 then § else 2 end", "reduce § as $x(0;$x)", "reduce 1 as $x(§;.)"],
  ...["foreach § as $x(0;$x)", "foreach 1 as $x(0;§;.)", "def f:§;f", "def f(x):x;f(§)", "def f($x):$x;f(§)"],
  ...['"\\(§)"', '@sh "\\(§)"', '@json "a\\(§)"', '."\\(§)"', '{"\\(§)":1}', "{(§|tostring):1}", "{a:1,b:§}"],
  ...[
    "limit(1;§)",
    "first(§)",
    "getpath([§])",
    "splits(§)",
    "setpath([§];1)",
    "delpaths([[§]])",
    "input_line_number|§",
  ],
  ...[
    ". as {a:$x}|§",
    ". as [$x]?//$x|§",
    "label $x|§",
    "label $x|§,break $x",
    "def env:1;§",
    "$__prog_args|§",
  ],
  ...[
    'include "m";§',
    'import "m" as m;§',
    ".a=§",
    ".a|=§",
    "(§)+=1",
    ".[]?|§",
    "..|§",
    "§ and 1",
    "§|not",
    "1 as $x|§",
  ],
];
/** What shows a value that stands somewhere in it, also where it would not be printed by itself. */
const jqShows = [
  ..."§ [§] path(§) [paths(§)] [path(§)] §? [§]|tojson §|keys §|@text §|error §|debug §|halt_error §|input_filename".split(
    " ",
  ),
  ...[
    "try(§)catch .",
    "try error(§) catch .",
    "[limit(3;§)]",
    "path(..|§)",
    "del(§)",
    "to_entries|§",
    "pick(§)",
  ],
  ...[
    "[splits(§)]",
    "tojson|§",
    "[§]|tostring",
    "§|getpath([])",
    "path(§)|.[0]",
    "[leaf_paths|§]",
    "§|ascii",
  ],
];
const jqFrames = [...jqPlaces, ...jqShows];

/** Something dangerous, where a value may stand, in something that shows it; sometimes with more around it. */
function jq(random: Random): string {
  let code = random.pick([...jqDangers, ...Array(jqDangers.length).fill("env"), ".", ".name"]);
  const frames = [jqPlaces, ...(random.below(6) === 0 ? [jqFrames] : []), jqShows];
  for (const each of frames) code = random.pick(each).split("§").join(code);
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
