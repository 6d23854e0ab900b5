// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { describe, expect, test } from "vitest";
import { readCommands, readWords, showCommands } from "./support.ts";

describe("what a script has set itself is known", () => {
  test.each<[string, string[]]>([
    ['f=README.md; wc -l "$f" $f ${f}', ["-l", "$README.md", "$README.md", "$README.md"]],
    ["a=x b=$a; echo $b", ["$x"]],
    ["a=x && echo $a", ["$x"]],
    ["a=x; { b=$a; }; echo $b", ["$x"]],
    ["f='a b'; echo $f \"$f\"", ["$a", "$b", "$a b"]],
    ["f=' a  b '; echo x$f\"y\"", ["x", "$a", "$b", "y"]],
    ["f='*.ts'; echo $f \"$f\"", ["**.ts", "$*.ts"]],
    ["f='a\\b'; echo $f", ["?…"]],
    ['f=; echo $f "$f" x', ["$", "x"]],
    ["a='p q'; b=$a; echo \"$b\"", ["$p q"]],
    ["i=0; i=$((i+1)); echo $i", ["?…#"]],
    ["n=$#; echo $n", ["?…#"]],
    ['f=*.ts; echo "$f"', ["$*.ts"]],
  ])("%s", async (text, words) => {
    expect(await readWords(text)).toEqual(words);
  });
});

describe("a variable that may or may not have been set is unknown", () => {
  test.each([
    "if a; then x=1; fi; echo $x",
    "x=a; if a; then x=b; fi; echo $x",
    "a && x=b; echo $x",
    "x=a; b || x=c; echo $x",
    "x=a; while b; do x=c; done; echo $x",
    "x=a; for i in 1; do x=c; done; echo $x",
    "x=a; case b in c) x=d;; esac; echo $x",
    "(x=a); echo $x",
    "x=a | b; echo $x",
    "x=a & echo $x",
    "x=$(echo a); echo $x",
    "x=a; x+=b; echo $x",
    "x=(a b); echo $x",
    "x=a; read x; echo $x",
    "x=a; read -r y x; echo $x",
    "x=a; printf -v x b; echo $x",
    "x=a; printf {-v,x} b; echo $x",
    'x=a; printf "$y" x b; echo $x',
    "x=a; mapfile x; echo $x",
    "x=a; eval x=b; echo $x",
    "x=a; . f; echo $x",
    "x=a; $y; echo $x",
    "x=a; builtin read x; echo $x",
    "x=a; command read x; echo $x",
    "x=a; unset x; echo $x",
    "x=a; local x; echo $x",
    "x=a; f() { x=b; }; f; echo $x",
    "x=a; if b; then f() { x=b; }; fi; f; echo $x",
    "x=a; while b; do echo $x; read x; done",
    "x=a; while b; do echo $x; printf {-v,x} c; done",
    'x=a; while b; do echo $x; "re"ad x; done',
    "x=a; while b; do echo $x; f; f() { x=c; }; done",
    "f() { x=c; }; x=a; while b; do echo $x; f; done",
    "x=a; while echo $x; do : ${x:=b} $((1)); done",
    "x=1; while b; do echo $x; x=$y; done",
    "x=a; for ((i=0;i<2;i++)); do echo $x; x=b; done",
    "x=1 a; echo $x",
    "for x in $(ls); do echo $x; done",
    "for x; do echo $x; done",
    "for x in a b; do :; done; echo $x",
    "f() { echo $x; }; x=a",
  ])("%s", async (text) => {
    const commands = await readCommands(text);
    const echo = commands.findLast(({ words }) => words[0]?.source === "echo")!;
    expect(echo.words[1]?.kind).toBe("dynamic");
  });
});

describe("loops", () => {
  test("over literal words are walked once for each", async () => {
    const commands = await readCommands("for f in a.md 'b c'; do wc -l \"$f\"; done");
    expect(showCommands(commands)).toEqual(["wc -l $a.md", "wc -l $b c"]);
  });

  test("over file names keep the pattern where nothing can split it", async () => {
    const commands = await readCommands('for f in src/*.ts x; do cat "$f"; cat $f; cat "a/$f"; done');
    // The first tells that the folder is listed.
    expect(commands[0]!.redirects[0]!.target).toMatchObject({ kind: "glob", pattern: "src/*.ts" });
    expect(showCommands(commands.slice(1))).toEqual([
      "cat *src/*.ts",
      "cat ?…",
      "cat ?a/src/…",
      "cat $x",
      "cat $x",
      "cat $a/x",
    ]);
  });

  test("within loops multiply only so far", async () => {
    const nested = (depth: number) => `for x${depth} in {1..20}; do `;
    const text = `${[1, 2, 3].map(nested).join("")} echo $x1 $x3; done; done; done`;
    const commands = await readCommands(text);
    expect(commands.length).toBeLessThanOrEqual(64);
    expect(showCommands(commands)).toContain("echo $20 ?…#");
  });

  test("a counter stays a number", async () => {
    const commands = await readCommands("i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done; echo $i");
    expect(showCommands(commands).filter((each) => each !== "")).toEqual([
      "[ ?…# -lt 3 ]",
      "echo ?…#",
      "echo ?…#",
    ]);
  });

  test("over no values are still read", async () => {
    expect(showCommands(await readCommands("for f in; do rm x; done"))).toEqual(["rm x"]);
  });
});
