// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how bash writes an expansion
import { describe, expect, test } from "vitest";
import { readCommands, readReasons, show } from "./support.ts";

describe("an assignment to a name that is not fresh is a problem", () => {
  test.each([
    "PATH=./evil",
    "PATH=./evil; ls",
    "PATH+=:./evil",
    "PS4='$(id)'; set -x; ls",
    "IFS=,",
    "Mixed=1",
    "BASH_ENV=f",
    "http_proxy=evil",
    "_=x",
    "for PATH in ./evil; do ls; done",
    "select PATH in a; do :; done",
    "echo ${PATH:=./evil}",
    "echo ${PATH=./evil}",
    'echo "${PATH:=./evil}"',
    "ls {PATH}> f",
    "((PATH = 1))",
    "export PATH=./evil",
    "readonly PATH=./evil",
    "declare -x LD_PRELOAD=./evil.so",
    "PATH=(a b)",
    "PATH[0]=a",
  ])("%s", async (text) => {
    expect(await readReasons(text)).toMatch(/assigns/);
  });

  test.each(["file=a", "for f in a; do :; done", "echo ${x:=a}", "x=(a b)", "exec {fd}< f", "n_1=2"])(
    "%s is not a problem",
    async (text) => {
      expect(await readReasons(text)).toBe("");
    },
  );
});

test("an assignment in front of a command is told, and left to the judge of that command", async () => {
  const [command] = await readCommands("LD_PRELOAD=./evil.so x+=$y a[0]=1 LANG=C ls -la");
  expect(command?.words.map(show)).toEqual(["ls", "-la"]);
  expect(command?.assignments.map(({ name, value, isCompound }) => [name, show(value), isCompound])).toEqual([
    ["LD_PRELOAD", "./evil.so", false],
    ["x", "?…", true],
    ["a", "1", true],
    ["LANG", "C", false],
  ]);
});

describe("functions", () => {
  test.each([
    "ls() { :; }",
    "function ls { :; }",
    "ls () ( : )",
    "command_not_found_handle() { :; }",
    "a/b() { :; }",
    "x=1; if a; then ls() { :; }; fi",
  ])("%s stands in the place of a command", async (text) => {
    expect(await readReasons(text)).toContain("a function replaces the command");
  });

  test("without a list of known commands, any function may replace one", async () => {
    const { readScript } = await import("../../../src/machine/shell-syntax/read-script.ts");
    expect((await readScript("f() { :; }")).problems).not.toEqual([]);
  });

  test.each<[string, boolean]>([
    ["f() { :; }; f", true],
    ["f() { :; } && f", true],
    ["{ f() { :; }; }; f", true],
    ["f() { f; }", false],
    ["f; f() { :; }", false],
    ["if a; then f() { :; }; fi; f", false],
    ["a && f() { :; }; f", false],
    ["(f() { :; }); f", false],
    ["f() { :; } & f", false],
    ["f() { :; } | a; f", false],
    ["while a; do f() { :; }; done; f", false],
    ["f() { :; }; unset -f f; f", false],
    ["f() { :; }; command f", false],
    ["f() { :; }; ./f", false],
    ["f() { :; }; env f", false],
  ])("%s: the last is surely a call of it: %s", async (text, isCall) => {
    const commands = await readCommands(text);
    const called = commands.findLast(({ words }) => words.some((word) => word.source.endsWith("f")));
    expect(called?.isFunctionCall ?? false).toBe(isCall);
  });
});
