// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { describe, expect, test } from "vitest";
import { readScript } from "../../../src/machine/shell-syntax/read-script.ts";
import { readCommands, readReasons, showCommands } from "./support.ts";

describe("a command is found wherever it stands", () => {
  test.each([
    "evil",
    "a; evil",
    "a & evil",
    "a && evil",
    "a || evil",
    "a | evil",
    "a |& evil",
    "a\nevil",
    "a #'\nevil #'",
    "! evil",
    "time -p evil",
    "(evil)",
    "{ evil; }",
    "((1)) && evil",
    "if evil; then a; fi",
    "if a; then b; elif evil; then c; fi",
    "if a; then b; elif c; then evil; else d; fi",
    "if a; then b; else evil; fi",
    "for x in 1 2; do evil; done",
    "for x in $(evil); do a; done",
    "for x; do evil; done",
    "for x in; do evil; done",
    "for ((i=0;i<2;i++)); do evil; done",
    "while evil; do a; done",
    "until a; do evil; done",
    "case a in b) evil;; esac",
    "case a in b) a;& c) evil;; esac",
    "case $(evil) in b) a;; esac",
    "case a in $(evil)) a;; esac",
    "f() { evil; }",
    "function f { evil; }",
    "f() ( evil )",
    "f() { a; } > $(evil)",
    "echo $(evil)",
    "echo `evil`",
    "echo `echo \\`evil\\``",
    'echo "$(echo "$(evil)")"',
    'echo $"a $(evil)"',
    "echo ${x:-$(evil)}",
    'echo "${x:-`evil`}"',
    "echo ${x:+$(evil)}",
    "echo ${x:?$(evil)}",
    "echo ${x:=$(evil)}",
    "echo ${x#$(evil)}",
    "echo ${x/a/$(evil)}",
    "echo ${x/$(evil)/b}",
    "echo ${x^^$(evil)}",
    "echo ${x:-${y:-$(evil)}}",
    "echo {a,$(evil)}",
    "echo [$(evil)]*",
    "diff <(a) <(evil)",
    "a > >(evil)",
    "a 2>$(evil)",
    "a < $(evil)",
    "> $(evil)",
    "{ a; } 2> $(evil)",
    "cat <<< $(evil)",
    "cat <<E\n$(evil)\nE",
    "cat <<-E\n\t$(evil)\n\tE",
    "cat <<E\n${x:-`evil`}\nE",
    "cat <<E; evil\nhi\nE",
    "cat <<A <<B\nx\nA\ny\nB\nevil",
    'cat <<"E F"\nx\nE F\nevil',
    "cat <<E\nx\\\nE\nE\nevil",
    "x=$(evil)",
    "x=$(evil) a",
    "x+=$(evil)",
    "x=(a $(evil))",
    "export x=$(evil)",
    "[[ -n $(evil) ]]",
    "[[ a == $(evil) ]]",
    "[[ a =~ $(evil) ]]",
    "[[ ! ( a == b || -f $(evil) ) ]]",
    'echo "\\\\"; evil; echo ""',
    "echo $(cat <<E\n$(evil)\nE\n)",
  ])("%j", async (text) => {
    const { commands } = await readScript(text);
    expect(showCommands(commands)).toContain("evil");
  });

  test.each([
    "echo $((1 + $(evil)))",
    "echo $((a[$(evil)]))",
    "echo $[$(evil)]",
    "((a[$(evil)] = 1))",
    "for ((i=$(evil);;)); do a; done",
    "echo ${a[$(evil)]}",
    "echo ${s:$(evil)}",
    "a[$(evil)]=1",
    "a=([$(evil)]=1)",
    "declare a[$(evil)]=1",
    "coproc evil",
    "coproc x { evil; }",
    "select x in a; do evil; done",
    "echo ${ evil; }",
    "echo @(a|$(evil))",
    // Between double quotes the single ones protect nothing.
    "echo \"${x:-'$(evil)'}\"",
  ])("and where it is a problem besides: %j", async (text) => {
    const { commands, problems } = await readScript(text);
    expect(showCommands(commands)).toContain("evil");
    expect(problems).not.toEqual([]);
  });
});

describe("a process substitution attached to other text is a problem: bash takes all of it for one word", () => {
  test.each([
    "a 1<(evil)",
    "a {x}<(evil)",
    "a -f<(evil)",
    "a --file=<(evil)",
    "a ,>(evil)",
    "a <(b)<(evil)",
    "a > b<(evil)",
    "a <<< b<(evil)",
    "x=1<(evil)",
    "x=<(evil) a",
    "x=(1<(evil))",
    "x=(b<(evil))",
    "for y in 1<(evil); do a; done",
    "for y in b<(evil); do a; done",
    "case 1<(evil) in a) b;; esac",
    "[[ -f 1<(evil) ]]",
  ])("%s", async (text) => {
    expect(await readReasons(text)).toMatch(/could not be parsed|no space between/);
  });
});

describe("a command is not found where there is none", () => {
  test.each([
    "echo '$(evil)'",
    "echo \\$(evil\\)",
    'echo "\\$(evil)"',
    "echo \\`evil\\`",
    "echo $'$(evil)'",
    "# evil $(evil)",
    "a # $(evil)",
    "cat <<'E'\n$(evil)\nE",
    'cat <<"E"\n`evil`\nE',
    'cat <<E""OF\n$(evil)\nEOF',
    "cat <<\\E\n$(evil)\nE",
    "cat <<E\n\\$(evil)\nE",
    "cat <<E\nE \nevil\nE",
    "cat <<-'E'\n\tevil\n\tE",
  ])("%j", async (text) => {
    const { commands } = await readScript(text);
    expect(JSON.stringify(showCommands(commands))).not.toMatch(/"evil/);
  });

  test("two signs of less in arithmetic shift, and begin no here-document", async () => {
    const commands = await readCommands("echo $((1<<2))\nls E\n(( 8 >> 1 ))");
    expect(showCommands(commands)).toEqual(["echo ?…#", "ls E"]);
  });
});

describe("the place of a command", () => {
  test("commands nested in a word name the one they are in", async () => {
    const commands = await readCommands("a; b $(c $(d) <(e)) > $(f); g");
    const named = commands.map(({ words, inside }) => [words[0]?.source, inside]);
    expect(named).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", 1],
      ["d", 2],
      ["e", 2],
      ["f", 1],
      ["g", undefined],
    ]);
  });

  test("pipelines share an id and count their members", async () => {
    const commands = await readCommands("a | b |& c; d");
    expect(commands.map(({ pipeline }) => pipeline)).toEqual([
      { id: 0, position: 0, length: 3 },
      { id: 0, position: 1, length: 3 },
      { id: 0, position: 2, length: 3 },
      { id: 1, position: 0, length: 1 },
    ]);
  });

  test.each([
    ["(a)", ["subshell"]],
    ["{ a; }", ["group"]],
    ["for x in 1; do a; done", ["loop"]],
    ["if b; then a; fi", ["condition"]],
    ["case x in y) a;; esac", ["case"]],
    ["f() { a; }", ["function", "group"]],
    ["b $(a)", ["substitution"]],
    ["a &", ["background"]],
    ["while b; do (a) & done", ["loop", "background", "subshell"]],
  ])("%s", async (text, around) => {
    const commands = await readCommands(text);
    expect(commands.find(({ text: own }) => own === "a")?.around).toEqual(around);
  });

  test("each command carries its own text", async () => {
    const commands = await readCommands('x=1 grep -n "a b" f > o | wc -l');
    expect(commands.map(({ text }) => text)).toEqual(['x=1 grep -n "a b" f > o', "wc -l"]);
  });
});

describe("syntax errors", () => {
  test.each([
    "ls &&",
    "git log &&& touch x",
    "echo 'a",
    'echo "a',
    "echo $(ls",
    "echo `ls",
    "if a; then b",
    "ls )",
    "ls; }",
    "for in; do; done",
    "case a in",
    "cat <<E\nx",
    "echo ${x",
    "a | | b",
    "; a",
    "echo $(ls &&)",
    'echo "$(if a)"',
    "ls >",
    "[[ a",
    "[[ a == ]]",
    "f() {",
    "echo $((1+",
    "echo $((1+))",
    "((1 +))",
  ])("%j is a problem", async (text) => {
    expect(await readReasons(text)).not.toBe("");
  });

  test("an empty script has no commands and no problems", async () => {
    for (const text of ["", " \n\t", "# only a comment"]) {
      expect(await readScript(text)).toEqual({ commands: [], problems: [] });
    }
  });
});

describe("a command in a replacement, where a slash would be taken for the end of the pattern, is a problem", () => {
  test.each([
    "echo ${x/$(cat /etc/passwd)/b}",
    'echo "${x/$(cat /etc/passwd)/b}"',
    "echo ${x//$(cat /etc/passwd)}",
    "echo ${x/#`cat /etc/passwd`/b}",
    "echo ${x/%<(cat /etc/passwd)/b}",
    "echo ${x/$(echo $(ls)/bin/touch y)/b}",
    "echo ${x/$((1/$(id)))/b}",
    "echo ${x/a/$(cat /etc/passwd)}",
    "echo ${x/${y/$(cat /etc/passwd)/a}/b}",
  ])("%s", async (line) => {
    expect(await readReasons(line)).toContain("a replacement contains a command");
  });
});

test.each(["echo {a,${x:-{a,b}}}", "echo ${x:-{a,b}}", "echo {.env,${x#{a,b}}}", "cat ${x:-{}"])(
  "braces in an expansion are a problem: %s",
  async (line) => {
    expect(await readReasons(line)).toContain("an expansion contains braces");
  },
);

test("an expansion in an expansion is no problem", async () => {
  expect(await readReasons('echo ${x:-${y}} ${x:-${y:-z}} "${x:-{a}"')).toBe("");
});
