// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { describe, expect, test } from "vitest";
import { readReasons, readWords } from "./support.ts";

describe("a word is what bash makes of it", () => {
  test.each<[string, string[]]>([
    ["echo a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]],
    ["find . -de\\lete", [".", "-delete"]],
    ["find . -de\\\nlete", [".", "-delete"]],
    ["find . -d''el\"e\"te", [".", "-delete"]],
    ["find . $'-delete'", [".", "-delete"]],
    ["echo $'a\\tb\\x41\\101\\'c'", ["a\tbAA'c"]],
    ["echo $'a\\0b'", ["a"]],
    ["echo $'\\u00e9' $'\\x{41}' $'\\cA' $'\\q' $'a\\\n'", ["?…", "?…", "?…", "?…", "?…"]],
    ['echo "a\\"b\\q\\$c\\\\"', ['a"b\\q$c\\']],
    ["echo '' \"\"", ["", ""]],
    ["echo a#b #c", ["a#b"]],
    ["echo a$ $% 5$", ["a$", "$%", "5$"]],
    ["[ a = b ]", ["a", "=", "b", "]"]],
  ])("%j", async (text, words) => {
    expect(await readWords(text)).toEqual(words);
  });

  test("a command word of odd quotes is still that command", async () => {
    expect(await readWords("x; t''ouch a")).toEqual(["a"]);
    expect(await readWords("$'\\x74ouch' pwned")).toEqual(["pwned"]);
  });
});

describe("braces", () => {
  test.each<[string, string[]]>([
    ["echo {a,b}c{1,2}", ["ac1", "ac2", "bc1", "bc2"]],
    ["find . -{delete,print}", [".", "-delete", "-print"]],
    [
      "echo {1..3} {3..1} {1..7..3} {01..3} {-1..1}",
      ["1", "2", "3", "3", "2", "1", "1", "4", "7", "01", "02", "03", "-1", "0", "1"],
    ],
    ["echo {a..c} {c..a..2}", ["a", "b", "c", "c", "a"]],
    ["echo {a} {a,b {} {,} {a}{b,c}", ["{a}", "{a,b", "{}", "{a}b", "{a}c"]],
    ["echo a{,}b {a{b,c}} {a},b}", ["ab", "ab", "{ab}", "{ac}", "a}", "b"]],
    ["echo {a,'b c',\"d,e\",f\\,g}", ["a", "b c", "d,e", "f,g"]],
    ["echo '{a,b}' \\{a,b} {a\\,b}", ["{a,b}", "{a,b}", "{a,b}"]],
    ["echo {a,~}", ["a", "?…"]],
    ['x=v; echo {1..$x} "$x"{a,b}', ["${1..v}", "$va", "$vb"]],
    ["echo {a,*}.ts", ["a.ts", "**.ts"]],
    ["git show HEAD@{1} stash@{u}", ["show", "HEAD@{1}", "stash@{u}"]],
  ])("%j", async (text, words) => {
    expect(await readWords(text)).toEqual(words);
  });

  test.each([
    ["a=1; ab=2; echo $a{b,c}", ["?…", "?…"]],
    ["echo {x,$}HOME", ["xHOME", "?…"]],
    ["x=1; echo {$x,b}y", ["?…", "by"]],
  ])("a name that the braces make up is not taken for the one that was written: %s", async (text, words) => {
    expect(await readWords(text)).toEqual(words);
  });

  test.each([
    ["cat a{','/../.env}", ["?…"]],
    ["cat {'x,'..}", ["{x,..}"]],
    ['cat {"${y-,}"/../.env}b', ["?…"]],
    ["y=v; cat {$(echo ,)..3} {'x'..3} {${y}..3}", ["?…", "{x..3}", "${v..3}"]],
  ])("bash takes braces away over a comma that nobody would look for: %s", async (text, words) => {
    expect(await readWords(text)).toEqual(words);
  });

  test.each([
    "echo {1..1000000}",
    "echo {1..99}{1..99}",
    `echo ${"{a,b}".repeat(30)}`,
    "for x in {1..5000}; do :; done",
    "x=({1..5000})",
  ])("too many are a problem, found in no time: %.40s", async (text) => {
    expect(await readReasons(text)).toContain("too many words");
  });
});

describe("words that are unknown until the script runs", () => {
  test.each<[string, string[]]>([
    ["ls *.ts src/*.[ch] a?b", ["**.ts", "*src/*.[ch]", "*a?b"]],
    ["ls \\*.ts '*'.ts \"a?\"", ["*.ts", "*.ts", "a?"]],
    ["ls 'a*'*", ["*a\\**"]],
    ["find . -del*", [".", "*-del*"]],
    ['echo $x ${x} "$x"', ["?…", "?…", "?…"]],
    ['echo "./$x" ./$x', ["?./…", "?…"]],
    ['echo "./$@" "./${a[@]}" "./$*"', ["?…", "?…", "?./…"]],
    ["find . ${x:--delete}", [".", "?…"]],
    ["echo $? $# $((1+2)) ${#x}", ["?…#", "?…#", "?…#", "?…#"]],
    ['echo "exit: $?"', ["?exit: …"]],
    ['echo $(date) "at $(date)" `date`', ["?…", "?at …", "?…"]],
    ["cat <(ls)", ["?/dev/fd/…"]],
    ['echo $"hello"', ["?…"]],
    ["echo ~ ~/x ~root a~ '~' ~\"x\"", ["?…", "?…", "?…", "a~", "~", "~x"]],
    ["echo a=~/x --b=~ HEAD~1", ["?a=…", "?--b=…", "HEAD~1"]],
    ["cat$IFS/etc/passwd x", ["x"]],
  ])("%j", async (text, words) => {
    expect(await readWords(text)).toEqual(words);
  });

  test("bash takes no extended patterns unless told to, so they are a problem", async () => {
    expect(await readReasons("ls @(a|b)")).toContain("extended pattern");
  });

  test("home and directory are known when the caller knows them", async () => {
    const known = { HOME: "/home/u v", PWD: "/w" };
    expect(await readWords("e=; echo ~$e ~${e}/x", { known })).toEqual(["~", "~/x"]);
    expect(await readWords('echo ~/x "$HOME" $HOME ~root', { known })).toEqual([
      "$/home/u v/x",
      "$/home/u v",
      "$/home/u",
      "$v",
      "?…",
    ]);
    expect(await readWords("cd a && echo $PWD/b", { known })).toEqual(["$/w/a/b"]);
    expect(await readWords("cd a; echo $PWD/b", { known })).toEqual(["?…"]);
  });
});

describe("what only zsh understands is a problem", () => {
  test.each(["cat =ls", "cat =(ls)", "echo ${(e)x}", "echo *(.)", "echo ${x:A:h}"])("%s", async (text) => {
    expect(await readReasons(text)).not.toBe("");
  });

  test("an equals sign that is a test operator is no problem", async () => {
    expect(await readReasons("[ a = b ] && test a == b")).toBe("");
  });
});
